from score import *
import itertools, sys
def refract(s, quiet):
    """keep a detection's score only if no higher-or-equal score in last `quiet` rows"""
    r=pd.Series(s); m=r.shift(1).rolling(quiet,min_periods=1).max().fillna(-1)
    return np.where(r>m, r, 0)
def run(f, name, quiet=(0,100,288)):
    base={n:np.nan_to_num(f(d.value.astype(float)),nan=0,posinf=0) for n,(d,_) in FILES.items()}
    for q in quiet:
        sc={n:(refract(s,q) if q else s) for n,s in base.items()}
        print(name,'quiet',q,[round(float(v),4) for v in best(sc)],flush=True)
def madz(look,longk,c):
    def f(x):
        p=x.shift(1); m=p.rolling(look,min_periods=20).median()
        dev=(p-p.rolling(look,min_periods=20).median()).abs().rolling(look,min_periods=20).median()
        lg=p.rolling(longk,min_periods=50).std()
        return ((x-m).abs()/(dev+c*lg+1e-6*(1+p.abs().expanding().mean()))).values
    return f
def like(look,longk,short):
    def f(x):
        p=x.shift(1); m=p.rolling(look,min_periods=min(look,10)).median()
        e=(x-m).abs()
        lm=e.shift(short).rolling(longk,min_periods=100).mean(); ls=e.shift(short).rolling(longk,min_periods=100).std()
        sm=e.rolling(short,min_periods=1).mean()
        return ((sm-lm)/(ls+0.01*lm+1e-6*(1+p.abs().expanding().mean()))).values
    return f
def gauss(longk):
    def f(x):
        p=x.shift(1); return ((x-p.rolling(longk,min_periods=50).mean()).abs()/(p.rolling(longk,min_periods=50).std()+1e-6*(1+p.abs().expanding().mean()))).values
    return f
run(gauss(6400),'gauss')
run(madz(288,2016,0.3),'mad 288/2016/.3')
run(madz(2016,2016,0.3),'mad 2016/2016/.3')
run(madz(2016,2016,1),'mad 2016/2016/1')
for s in (3,10): run(like(288,2016,s),f'like288 {s}')
for s in (3,10): run(like(12,4000,s),f'like12 {s}')
