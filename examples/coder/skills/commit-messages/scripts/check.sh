# Checks the first line of a commit message: check.sh "Give the rest of a split to the first parts"
line=${1%%$'\n'*}
problems=()
((${#line} <= 72)) || problems+=("It has ${#line} characters. At most 72.")
[[ $line =~ ^[[:upper:]] ]] || problems+=("It begins with a capital letter.")
[[ $line != *. ]] || problems+=("It has no full stop.")
printf '%s\n' "${problems[@]:-Good.}"
exit $((${#problems[@]} > 0))
