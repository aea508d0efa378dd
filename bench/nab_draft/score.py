import json, math, numpy as np, pandas as pd
from pathlib import Path
ROOT=Path('/work/shared/nab')
W=json.load(open(ROOT/'windows.json'))
FILES={}
for name,wins in W.items():
    d=pd.read_csv(ROOT/'data'/name,parse_dates=['timestamp'])
    FILES[name]=(d,[(pd.Timestamp(a),pd.Timestamp(b)) for a,b in wins])
def sig(y): return 2/(1+math.exp(5*y))-1 if y<3 else -1.0
def probation(n): return min(int(0.15*n), int(0.15*5000))
def contributions(name):
    """for each row: (tp score if earliest, window id) or fp score"""
    d,wins=FILES[name]; t=d.timestamp.values; n=len(d)
    idx=[(int(np.searchsorted(t,np.datetime64(a))),int(np.searchsorted(t,np.datetime64(b),side='right'))-1) for a,b in wins]
    out=np.empty(n); win=np.full(n,-1)
    for i in range(n):
        out[i]=-1.0*0.11
    prev=None
    for k,(l,r) in enumerate(idx):
        w=r-l+1
        for i in range(l,r+1):
            out[i]=sig(-(r-i+1)/w)/sig(-1.0); win[i]=k
        end=idx[k+1][0] if k+1<len(idx) else n
        for i in range(r+1,end):
            out[i]=0.11*sig((i-r)/max(w-1,1))
    return out,win,idx
CON={n:contributions(n) for n in FILES}
NW=sum(len(w) for _,w in FILES.values())
def score_at(scores,th):
    tot=0
    for name,s in scores.items():
        out,win,idx=CON[name]; p=probation(len(s))
        det=np.flatnonzero(s[p:]>=th)+p
        seen=set()
        for i in det:
            k=win[i]
            if k<0: tot+=out[i]
            elif k not in seen: seen.add(k); tot+=out[i]
        # windows missed
        tot-=sum(1 for k,(l,r) in enumerate(idx) if k not in seen)
    return 100*(tot+NW)/(NW+NW)
def best(scores):
    al=np.unique(np.concatenate([s[np.isfinite(s)] for s in scores.values()]))
    ths=np.unique(np.quantile(al,1-np.logspace(-5.5,-1,150)))
    r=[(score_at(scores,t),t) for t in ths]
    return max(r)
