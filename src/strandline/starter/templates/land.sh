mkdir -p [[ incoming ]]
strandline land --source [[ incoming ]] --format csv --option glob='*.csv' --table [[ raw ]].[[ events ]] \
    --schema-file models/[[ events ]]/[[ events ]].ddl[% for option in options %] \
    --option [[ option ]][% endfor %] "$@" || { code=$?; [ $code -eq 3 ] || exit $code; odd_files=3; }
