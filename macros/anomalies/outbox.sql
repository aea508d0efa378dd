{#- The outbox of a table of anomalies: a view of its notifications. See _macros.yml. -#}
{% macro anomaly_notifications(source, unit=none, measured=none, bounds=none, contributions=none,
    outdated=false, silences=none) %}
    {%- set read = strandline._arguments('anomaly_notifications', kwargs, varargs, {
        'source': strandline._anomalies_argument(source),
        'unit': ['any', unit], 'measured': ['any', measured], 'bounds': ['any', bounds],
        'contributions': ['relation', contributions, "pass ref(…) of a model of "
            ~ "change_contribution with id='anomaly_id'", {'optional': true, 'has': 'anomaly_id'}],
        'outdated': ['flag', outdated],
        'silences': ['relation', silences, "pass ref(…) of a seed with starts_at and ends_at",
            {'optional': true, 'has': 'starts_at'}],
    }) -%}
    {%- set faults, types = read.faults, read.types.source -%}
    {%- set silenced = strandline._silenced_columns(read) -%}
    {%- set units = strandline._counted_words('unit', unit, 'departures', faults) -%}
    {%- set names = strandline._counted_words('measured', measured, 'temperature', faults) -%}
    {%- set is_bound = strandline._baseline_is_bound(bounds, faults) -%}
    {%- for argument, given in {'unit': unit, 'measured': measured}.items()
        if given is mapping and types and 'detector' not in types -%}
        {%- do faults.append("`" ~ argument ~ "` has a word for each detector, but "
            ~ source.identifier ~ " has no column 'detector'; give one word for all") -%}
    {%- endfor -%}
    {%- if bounds and bounds is not boolean and types and 'detector' not in types -%}
        {%- do faults.append("`bounds` names detectors, but " ~ source.identifier
            ~ " has no column 'detector'; write true if every baseline is a bound") -%}
    {%- endif -%}
    {%- do strandline._refuse('anomaly_notifications', faults) %}
    {%- set has_severities = not types or 'notified_severities' in types -%}
    {%- set internal = ['notified_severities', 'withheld'] if has_severities else [] -%}
    {%- set no_severity = 'cast(null as string) as severity' -%}
    {%- set wants_older = strandline._run_setting('strandline_older_notifications') -%}
    {%- set is_older = wants_older and has_severities -%}
    {%- set is_open = strandline._run_setting('strandline_open_incidents') %}
select
    sha2(concat(
        __notification.incident_id, ' ', __notification.kind,
        case __notification.kind
            when 'raised' then concat(' ', __notification.severity)
            when 'outdated' then concat(' ', string(unix_micros(__notification.notified.at)))
            else ''
        end
    ), 256) as notification_key,
    __notification.incident_id,
    __notification.kind,
    __notification.notified.at as notified_at,
    __shown.* except (
        {{ (['incident_id', 'notified_at', 'notified', 'notified_completed', 'ends_month',
            'severity'] + internal) | join(', ') }}
    ),
    if(__notification.kind = 'raised', __notification.severity, __shown.severity) as severity,
    if(__shown.is_parent, coalesce(__family.members, 0), 1) as members,
    {{ units }} as unit,
    {{ names }} as measured_name,
    {{ is_bound }} as is_bound
    {%- if contributions is not none %},
    __parts.contributions
    {%- endif %}
from (
    {%- if is_open %}
    {{ strandline._open_incidents(source, types) }}
    {%- else %}
    select __incident.anomaly_id as incident_id, inline(
        {%- if is_older %}
        array(struct('new' as kind, {{ no_severity }}, __incident.withheld as notified))
        {%- else %}
        {{- ' concat(' if has_severities }}array(
            struct('new' as kind, {{ no_severity }}, __incident.notified as notified),
            struct('completed' as kind, {{ no_severity }},
                __incident.notified_completed as notified)
        )
        {%- if has_severities %}, transform(
            coalesce(
                slice(__incident.notified_severities, 2, size(__incident.notified_severities)),
                array()
            ),
            __raised -> struct('raised' as kind, __raised.severity as severity,
                struct(__raised.at as at, __raised.anomaly_id as anomaly_id) as notified)
        )){% endif %}
        {%- endif %}
    )
    from {{ source }} as __incident
    {%- if is_older %}
    where __incident.anomaly_id = __incident.incident_id
    {%- elif outdated %}
    union all
    {{ strandline._outdated_incidents(source) }}
    {%- endif %}
    {%- endif %}
) as __notification
inner join {{ source }} as __shown on __notification.notified.anomaly_id = __shown.anomaly_id
left join (
    select parent_id, count(*) as members
    from {{ source }}
    where parent_id is not null and {{ strandline._is_active('status') }}
    group by parent_id
) as __family on __shown.anomaly_id = __family.parent_id
{%- if contributions is not none %}
left join (
    select anomaly_id, array_join(transform(array_sort(collect_list(struct(rank, contribution))),
        __part -> __part.contribution), '; ') as contributions
    from {{ contributions }}
    group by anomaly_id
) as __parts on __shown.anomaly_id = __parts.anomaly_id
{%- endif %}
{%- if silences is not none %}
left anti join {{ silences }} as __silence
    on __silence.starts_at <= __shown.starts_at and __shown.ends_at <= __silence.ends_at
    {%- for name in strandline._all_quoted(silenced) %}
    and coalesce(cast(__silence.{{ name }} as string) = cast(__shown.{{ name }} as string),
        __silence.{{ name }} is null)
    {%- endfor %}
{%- endif %}
where __notification.notified is not null
{%- if is_older %}
    and {{ strandline._is_active('__shown.status') }}
{%- elif wants_older %}
    and false
{%- endif %}
{% endmacro %}

{#- The columns of `silences` that choose anomalies: all but its range and a note. Each must be one
    of the anomalies: a key that is written wrongly would silence everything. -#}
{% macro _silenced_columns(read) %}
    {%- set known, chosen = read.types.get('silences'), [] -%}
    {%- if known and 'ends_at' not in known -%}
        {%- do read.faults.append("`silences` is " ~ read.silences.identifier
            ~ ", which has no column ends_at; pass ref(…) of a seed with starts_at and ends_at") -%}
    {%- endif -%}
    {%- for name in known or [] if name not in ['starts_at', 'ends_at', 'note'] -%}
        {%- if read.types.source and name not in read.types.source -%}
            {%- do read.faults.append("`silences` has the column '" ~ name ~ "', which "
                ~ read.source.identifier ~ " does not have; besides starts_at, ends_at and note, "
                ~ "its columns are those of the anomalies"
                ~ strandline._nearest(name, read.types.source)) -%}
        {%- endif -%}
        {%- do chosen.append(name) -%}
    {%- endfor -%}
    {{- return(chosen) -}}
{% endmacro %}

{#- The incidents of which was notified and that have no active anomaly any more, before they were
    over. The time is that of the run that made the last one outdated or ignored. If one is found
    again, the row is gone; if it becomes outdated again, the row has another time and key. -#}
{% macro _outdated_incidents(source) %}
    select
        __incident.anomaly_id as incident_id, 'outdated' as kind, cast(null as string) as severity,
        named_struct('at', __gone.at, 'anomaly_id', __incident.notified.anomaly_id) as notified
    from {{ source }} as __incident
    inner join (
        select coalesce(incident_id, anomaly_id) as incident_id, max(changed_run_at) as at
        from {{ source }}
        group by coalesce(incident_id, anomaly_id)
        having count_if({{ strandline._is_active('status') }}) = 0
    ) as __gone on __incident.anomaly_id = __gone.incident_id
    where __incident.notified is not null and __incident.notified_completed is null
{%- endmacro %}

{#- The incidents of which was notified and that are still open: the anomaly that represents each
    now. It is active, has no feedback, is not too short, and the watermark has not passed its end
    by more than the gap, also where `completed` is false. -#}
{% macro _open_incidents(source, types) %}
    {%- set properties = strandline._properties_of(source) if execute and types else {} -%}
    {%- set reads = fromjson(properties.get('strandline.reads', '{}')).get('settings', {}) -%}
    {%- if properties and 'feedback' not in reads -%}
        {%- do strandline._refuse('anomaly_notifications', ["`source` is " ~ source.identifier
            ~ ", which no run of strandline.anomalies of this release has written; reminders need "
            ~ "its feedback: run that model first"]) -%}
    {%- endif -%}
    {%- set watermark = properties.get('strandline.watermark') %}
    select
        __incident.anomaly_id as incident_id, 'new' as kind, cast(null as string) as severity,
        named_struct('at', __incident.notified.at, 'anomaly_id', __shown.anomaly_id) as notified
    from {{ source }} as __incident
    inner join {{ source }} as __shown
        on __incident.anomaly_id = __shown.incident_id and __shown.parent_id is null
        and {{ strandline._is_active('__shown.status') }}
    {%- for name in ['__incident.anomaly_id', '__shown.anomaly_id',
        strandline._parent_id('__incident.anomaly_id')] if reads.get('feedback') %}
    left anti join {{ reads.feedback }} as __feedback on {{ name }} = __feedback.anomaly_id
    {%- endfor %}
    where __incident.notified is not null and __incident.notified_completed is null
    {%- if reads %}
        and unix_micros(__shown.ends_at) - unix_micros(__shown.starts_at) >= {{ reads.min_length }}
    {%- endif %}
    {%- if watermark is not none %}
        and __shown.ends_at >= {{ strandline._micros_time(strandline._text_micros(watermark)
            - fromjson(properties['strandline.task']).merge_max_gap) }}
    {%- endif %}
{%- endmacro %}

{#- Whether the baseline is a bound, as an expression: for all anomalies, or for some detectors. -#}
{% macro _baseline_is_bound(bounds, faults) %}
    {%- if bounds is none -%}{{- return('false') -}}{%- endif -%}
    {%- if bounds is boolean -%}{{- return(bounds | string | lower) -}}{%- endif -%}
    {%- if bounds is string or bounds is mapping or bounds is not sequence or not bounds
        or bounds | reject('string') | list -%}
        {%- do faults.append("`bounds` is '" ~ bounds ~ "'; write true, or the list of the "
            ~ "detectors whose baseline is a bound, such as ['too_cold']") -%}
        {{- return('false') -}}
    {%- endif -%}
    {%- set names = [] -%}
    {%- for name in bounds -%}{%- do names.append(strandline._literal(name)) -%}{%- endfor -%}
    {{- return('coalesce(cast(__shown.detector as string) in (' ~ names | join(', ')
        ~ '), false)') -}}
{% endmacro %}

{#- A word of the title, as an expression: one for all anomalies, or one for each detector. -#}
{% macro _counted_words(argument, unit, example, faults) %}
    {%- if unit is none -%}{{- return('cast(null as string)') -}}{%- endif -%}
    {%- set words = unit if unit is mapping else {'': unit} -%}
    {%- set cases = [] -%}
    {%- for detector, word in words.items() -%}
        {%- if word is not string or not word | trim -%}
            {%- do faults.append("`" ~ argument ~ "` has '" ~ word ~ "'; write a word such as '"
                ~ example ~ "'") -%}
        {%- endif -%}
        {%- do cases.append('when ' ~ strandline._literal(detector)
            ~ ' then ' ~ strandline._literal(word)) -%}
    {%- endfor -%}
    {%- if not words -%}
        {%- do faults.append("`" ~ argument ~ "` is empty; give a word for each detector, such as "
            ~ "{'carrier_day': '" ~ example ~ "'}") -%}
        {{- return('cast(null as string)') -}}
    {%- endif -%}
    {%- if unit is not mapping -%}{{- return(strandline._literal(unit)) -}}{%- endif -%}
    {{- return('case cast(__shown.detector as string) ' ~ cases | join(' ') ~ ' end') -}}
{% endmacro %}
