{#- The body of a view of the parts that made the change of a total: for each detection, the values
    of its parts and of the same parts at an offset before. See _macros.yml. -#}
{% macro change_contribution(detections, source, ts, value, granularity, offset, by, keys=[],
    id='detection_id', top=10, time_zone='UTC') %}
    {%- set own = ['starts_at', 'ends_at', 'rank', 'current_value', 'baseline_value', 'change',
        'share', 'contribution'] -%}
    {%- set reserved = {'names': own, 'why': 'which is also a column of the result'} -%}
    {%- set read = strandline._arguments(strandline._caller('change_contribution'), kwargs, varargs,
        dict(strandline._detector_arguments({
            'source': source, 'ts': ts, 'value': value, 'granularity': granularity, 'keys': keys,
            'time_zone': time_zone,
        }, {
            'detections': ['relation', detections, "write ref(…), source(...) or a query in "
                ~ "parentheses, whose rows have starts_at and ends_at", {'query': true}],
            'offset': ['any', offset],
            'by': ['columns', by, "list the columns whose values are compared, such as ['origin']",
                {'type': 'comparable', 'some': true, 'reserved': reserved}],
            'id': ['column', id, "name the column that identifies a row of `detections`, such as "
                ~ "'anomaly_id'", {'of': 'detections'}],
            'top': ['count', top, 'write how many parts are listed, a whole number from 1 to 1000',
                {'from': 1, 'to': 1000}],
        }), keys=['columns', keys, "list the columns that `detections` and `source` have in common,"
            ~ " such as ['carrier'], or [] if a detection is of all rows",
            {'type': 'comparable', 'of': ['source', 'detections'], 'reserved': reserved}])) -%}
    {%- set task = strandline._detector_task(dict(read, detector=none, until=none, severity=none,
        description=none), {'offset': read.offset}) -%}
    {%- for column in read.by | map('lower') if column in task['keys'] -%}
        {%- do read.faults.append("`by` has the column '" ~ column ~ "' of `keys`, which has one "
            ~ "value in a detection; leave it out") -%}
    {%- endfor -%}
    {%- for column in ['starts_at', 'ends_at'] if read.types.detections -%}
        {%- do strandline._check_column('detections', column, read.detections,
            read.types.detections, {'type': 'timestamp'}, read.faults) -%}
    {%- endfor -%}
    {%- do strandline._refuse(read.who, read.faults) -%}
    {%- set keys, parts = strandline._all_quoted(task['keys']), strandline._all_quoted(read.by) -%}
    {%- set name = strandline._quoted(read.id) -%}
    {%- set offset = task.periods.offset.length ~ 'L' -%}
    {%- set bucket_task = dict(task, keys=task['keys'] + read.by, arrival=none, is_ordered=true) -%}
with __buckets as (
    select *, {{ strandline._compared_bucket(task) }} as __at
    from (
        {{ strandline._given_buckets(bucket_task) }}
    )
),

__detections as (
    select
        {{ (['__detection.' ~ name ~ ' as __id'] + strandline._prefixed('__detection.', keys))
            | join(', ') }},
        __detection.starts_at as __from,
        __detection.ends_at as __until,
        {{ strandline._compared_instant('__detection.starts_at', task) }} as __first,
        {{ strandline._compared_instant('__detection.ends_at', task) }} as __last
    from (select * from {{ read.detections }}) as __detection
),

__parts as (
    select /*+ broadcast(__detections) */
        {{ (['__detections.__id', '__detections.__from', '__detections.__until']
            + strandline._prefixed('__detections.', keys)
            + strandline._prefixed('__shifted.', parts)) | join(', ') }},
        sum(if(__shifted.__shift = 0, __shifted.__value, 0D)) as __current,
        sum(if(__shifted.__shift = 0, 0D, __shifted.__value)) as __baseline
    from (
        select * from __buckets lateral view explode(array(0L, {{ offset }})) as __shift
        where abs(__value) < double('Infinity')
    ) as __shifted
    join __detections
        on {{ strandline._same_columns(task['keys'], '__shifted', '__detections') }}
        and __shifted.__at + __shifted.__shift >= __detections.__first
        and __shifted.__at + __shifted.__shift < __detections.__last
    group by all
),

__ranked as (
    select
        *,
        __current - __baseline as __change,
        sum(__current - __baseline) over (partition by __id) as __total,
        row_number() over (partition by __id
            order by abs(__current - __baseline) desc, {{ parts | join(', ') }}) as __rank
    from __parts
)

select
    {{ (['__id as ' ~ name] + keys) | join(', ') }},
    __from as starts_at,
    __until as ends_at,
    __rank as rank,
    {{ parts | join(', ') }},
    __current as current_value,
    __baseline as baseline_value,
    __change as change,
    __change / nullif(__total, 0D) as share,
    concat(concat_ws(', ', {{ strandline._texts_or_null(parts) | join(', ') }}), ': ',
        {{ strandline._number_text('__current') }}, ', before ',
        {{ strandline._number_text('__baseline') }},
        coalesce(concat(' (', cast(cast(round(100 * __change / nullif(__total, 0D)) as bigint)
            as string), ' % of the change)'), '')) as contribution
from __ranked
where __rank <= {{ read.top }}
{% endmacro %}

{#- The position by which buckets are compared, of any instant. -#}
{% macro _compared_instant(ts, task) %}
    {{- return('unix_micros(' ~ strandline._local(ts, task.time_zone) ~ ')' if task.is_local
        else strandline._bucket_number(ts, task)) -}}
{% endmacro %}

{#- Names of columns behind that of their relation. -#}
{% macro _prefixed(prefix, columns) %}
    {%- set prefixed = [] -%}
    {%- for column in columns -%}{%- do prefixed.append(prefix ~ column) -%}{%- endfor -%}
    {{- return(prefixed) -}}
{% endmacro %}

{#- The text of each column, `null` for none. -#}
{% macro _texts_or_null(columns) %}
    {%- set texts = [] -%}
    {%- for column in columns -%}
        {%- do texts.append("coalesce(cast(" ~ column ~ " as string), 'null')") -%}
    {%- endfor -%}
    {{- return(texts) -}}
{% endmacro %}
