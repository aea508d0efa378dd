"""The files of a new project, for `strandline init`."""
