# An animal that calls a program that is not there.
while read -r word rest; do
  case $word in
    game) echo ready ;;
    go) exec think-about-it "$rest" ;;
  esac
done
