# An animal that starts helpers in the background, in pipelines and in sessions of their own, and plays well.
mark=$1
sh -c 'sleep 3600; :' "$mark" < /dev/null > /dev/null 2>&1 &
setsid sh -c 'exec tail -f /dev/null "$0" > /dev/null 2>&1' "$mark" &
while read -r word rest; do
  case $word in
    game) echo ready ;;
    go) echo 1 ;;
    quit) exit 0 ;;
  esac
done
