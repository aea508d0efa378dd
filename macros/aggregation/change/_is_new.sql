{#- Whether an event has not been consumed yet; one without an arrival is looked at as well, so that
    it stops the run. -#}
{% macro _is_new(task, consumed) %}
    {{- return('(feed.' ~ task.arrival ~ ' > ' ~ consumed ~ ' or feed.' ~ task.arrival ~ ' is null)' if consumed else none) -}}
{% endmacro %}
