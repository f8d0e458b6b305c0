/**
 * What follows a link to its end, as the box has it, and names a new file next to it. The path is an argument: no part of the script.
 * The name has a number that no program in the box can guess, so none has put a link there.
 */
const names = 'path=$(readlink -f -- "$1" && echo .) && path=${path%??} && part=${path%/*}/.skein-$2';

/**
 * Writes a file beside the one that is to be written and puts it in its place with the mode of that, so that a failure leaves what was
 * there. What cannot be replaced, such as a device or a file that is mounted, is written in place.
 */
const writeScript = `case $1 in */*) mkdir -p -- "\${1%/*}/" || exit 1 ;; esac
if ${names} && { [ ! -e "$path" ] || { [ -f "$path" ] && [ -w "$path" ]; }; } && (set -C; : > "$part") 2>/dev/null; then
  if cat > "$part" && { [ ! -e "$path" ] || chmod "$(stat -c %a -- "$path")" "$part"; }; then
    mv -f -- "$part" "$path" 2>/dev/null && exit
    echo "It is written in place and may be cut." >&2
    cat "$part" > "$path" && rm -f -- "$part" && exit
  fi
  rm -f -- "$part"
  exit 1
fi
if [ -f "$1" ] && [ -w "$1" ]; then echo "It is written in place and may be cut." >&2; fi
cat > "$1"`;

/** The program that writes its standard input into a file. */
export function writeProgram(path: string, id: string): readonly string[] {
  return ["sh", "-c", writeScript, "sh", path, id];
}

/** The program that removes what a write has left that was ended. */
export function cleanProgram(path: string, id: string): readonly string[] {
  return ["sh", "-c", `${names} && rm -f -- "$part"`, "sh", path, id];
}
