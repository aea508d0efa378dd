{#- The outbox of a table of anomalies: a view of its notifications. See _macros.yml. -#}
{% macro anomaly_notifications(source, unit=none) %}
    {%- do strandline._check_call('anomaly_notifications', kwargs, varargs, {
        'source': [source, "write ref(…), the model that calls strandline.anomalies"],
    }, ['unit']) -%}
    {%- set faults = [] -%}
    {%- if source is string or source is none -%}
        {%- do faults.append("`source` is '" ~ source ~ "'; write ref('" ~ source
            ~ "'), the model that calls strandline.anomalies") -%}
    {%- endif -%}
    {%- set units = strandline._counted_words(unit, faults) -%}
    {%- if execute and not faults and unit is mapping -%}
        {%- set types = strandline._types_of(source) -%}
        {%- if types and 'detector' not in types -%}
            {%- do faults.append("`unit` has a word for each detector, but " ~ source.identifier
                ~ " has no column 'detector'; give one word for all, such as 'departures'") -%}
        {%- endif -%}
    {%- endif -%}
    {%- do strandline._refuse('anomaly_notifications', faults) %}
    {%- set types = strandline._types_of(source) if execute and not faults else {} -%}
    {%- set has_severities = not types or 'notified_severities' in types -%}
    {%- set internal = ['notified_severities', 'withheld'] if has_severities else [] -%}
    {%- set no_severity = 'cast(null as string) as severity' -%}
    {%- set is_older = var('strandline_older_notifications', false) and has_severities %}
select
    sha2(concat(
        notification.incident_id, ' ', notification.kind,
        if(notification.kind = 'raised', concat(' ', notification.severity), '')
    ), 256) as notification_key,
    notification.incident_id,
    notification.kind,
    notification.notified.at as notified_at,
    shown.* except (
        {{ (['incident_id', 'notified_at', 'notified', 'notified_completed', 'ends_month',
            'severity'] + internal) | join(', ') }}
    ),
    if(notification.kind = 'raised', notification.severity, shown.severity) as severity,
    if(shown.is_parent, coalesce(family.members, 0), 1) as members,
    {{ units }} as unit
from (
    select incident.anomaly_id as incident_id, inline(
        {%- if is_older %}
        array(struct('new' as kind, {{ no_severity }}, incident.withheld as notified))
        {%- else %}
        {{- ' concat(' if has_severities }}array(
            struct('new' as kind, {{ no_severity }}, incident.notified as notified),
            struct('completed' as kind, {{ no_severity }}, incident.notified_completed as notified)
        )
        {%- if has_severities %}, transform(
            coalesce(
                slice(incident.notified_severities, 2, size(incident.notified_severities)), array()
            ),
            raised -> struct('raised' as kind, raised.severity as severity,
                struct(raised.at as at, raised.anomaly_id as anomaly_id) as notified)
        )){% endif %}
        {%- endif %}
    )
    from {{ source }} as incident
    {%- if is_older %}
    where incident.anomaly_id = incident.incident_id
    {%- endif %}
) as notification
inner join {{ source }} as shown on notification.notified.anomaly_id = shown.anomaly_id
left join (
    select parent_id, count(*) as members
    from {{ source }}
    where parent_id is not null and {{ strandline._is_active('status') }}
    group by parent_id
) as family on shown.anomaly_id = family.parent_id
where notification.notified is not null
{%- if is_older %}
    and {{ strandline._is_active('shown.status') }}
{%- endif %}
{% endmacro %}

{#- The counted unit, as an expression: one word for all anomalies, or one for each detector. -#}
{% macro _counted_words(unit, faults) %}
    {%- if unit is none -%}{{- return('cast(null as string)') -}}{%- endif -%}
    {%- set words = unit if unit is mapping else {'': unit} -%}
    {%- set cases = [] -%}
    {%- for detector, word in words.items() -%}
        {%- if word is not string or not word | trim -%}
            {%- do faults.append("`unit` has '" ~ word ~ "'; write what is counted, such as "
                ~ "'departures'") -%}
        {%- endif -%}
        {%- do cases.append('when ' ~ strandline._literal(detector)
            ~ ' then ' ~ strandline._literal(word)) -%}
    {%- endfor -%}
    {%- if not words -%}
        {%- do faults.append("`unit` is empty; give a word for each detector, such as "
            ~ "{'carrier_day': 'departures'}") -%}
        {{- return('cast(null as string)') -}}
    {%- endif -%}
    {%- if unit is not mapping -%}{{- return(strandline._literal(unit)) -}}{%- endif -%}
    {{- return('case cast(shown.detector as string) ' ~ cases | join(' ') ~ ' end') -}}
{% endmacro %}
