"""Models, views and data tests that are skipped while nothing that they read has changed.

`upstream` finds what a model reads, in Delta's log and through views; `last_runs` keeps what the
last run read; `adapter` has the methods that macros call. The macros are in
`include/strandline/macros/unchanged.sql`.
"""
