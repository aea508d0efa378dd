mkdir -p [[ incoming ]]
strandline land --source [[ incoming ]] --format [[ file_format ]] --option glob='*[[ suffix ]]' --table [[ raw ]].[[ events ]] \
    --schema-file models/[[ events ]]/[[ events ]].ddl[% for option in options %] \
    --option [[ option ]][% endfor %] "$@" || { code=$?; [ $code -eq 3 ] || exit $code; odd_files=3; }
