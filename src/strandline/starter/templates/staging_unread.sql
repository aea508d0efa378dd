select arrival, landed_from, reason
from (
    select
        arrival,
        landed_from,
        nullif(concat_ws(
            '; ',
[% for sql in unread %]
            [[ sql ]][[ "," if not loop.last ]]
[% endfor %]
        ), '') as reason
    from {{ source('landing', '[[ events ]]') }}
)
where reason is not null
