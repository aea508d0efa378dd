{#- Refuses fewer values than a deviation needs, and more than the look-back can hold: nothing would ever be judged. -#}
{% macro _check_min_values(min_values, task, faults) %}
    {%- if min_values is not integer or min_values is boolean or min_values < 2 -%}
        {%- do faults.append("`min_values` is '" ~ min_values ~ "'; write a whole number from 2 up: a standard deviation needs two values") -%}
    {%- elif not faults -%}
        {%- set step = task.periods.get('seasonality', {'length': task.granularity.step}).length -%}
        {%- set held = task.periods.lookback.length // step -%}
        {%- if held < min_values -%}
            {%- do faults.append("`lookback` holds " ~ held ~ (' value' if held == 1 else ' values') ~ " of one place in the season, and `min_values` is "
                ~ min_values ~ "; look back further, or nothing is ever judged") -%}
        {%- endif -%}
    {%- endif -%}
{% endmacro %}
