{#- The rows of the files, with what only SQL reads.
[%- if unread %] What it cannot read is null here, and a row of
    stg_[[ events ]]_unread.[% endif %] -#}
select
[% for column, sql in staged %]
    [[ sql ~ " as `" ~ column.name ~ "`" if sql else "`" ~ column.name ~ "`" ]],
[% endfor %]
    arrival,
    landed_from
from {{ source('landing', '[[ events ]]') }}
