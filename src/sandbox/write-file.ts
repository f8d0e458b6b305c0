/**
 * What follows a link to its end, as the box has it, and names a new file next to it. The path is an argument: no part of the script.
 * The name has a number that no program in the box can guess, so none has put a link there.
 */
const names = 'path=$(readlink -f -- "$1" && echo .) && path=${path%??} && part=${path%/*}/.skein-$2';

/**
 * Refuses what would be gone after the call: a file that could be written, but is in none of the folders that stay, such as one in
 * `/tmp`. Links are followed to their end by then.
 */
const refuseLost = `for folder do case $path in "$folder" | "\${folder%/}"/*) stays=1 ;; esac; done
  place=$path
  [ -e "$place" ] || place=\${path%/*}/
  if [ -z "$stays" ] && [ -w "$place" ]; then
    echo "It would be gone after this call. \${*:+Write below }\${*:-The sandbox has no folder to write}." >&2
    exit 1
  fi`;

/**
 * Writes a file beside the one that is to be written and puts it in its place with the mode of that, so that a failure leaves what was
 * there. What cannot be replaced, such as a device or a file that is mounted, is written in place.
 */
const writeScript = `case $1 in */*) mkdir -p -- "\${1%/*}/" || exit 1 ;; esac
file=$1 stays=
if ${names}; then
  shift 2
  ${refuseLost}
fi
if [ -n "$path" ] && { [ ! -e "$path" ] || { [ -f "$path" ] && [ -w "$path" ]; }; } && (set -C; : > "$part") 2>/dev/null; then
  if cat > "$part" && { [ ! -e "$path" ] || chmod "$(stat -c %a -- "$path")" "$part"; }; then
    mv -f -- "$part" "$path" 2>/dev/null && exit
    echo "It is written in place and may be cut." >&2
    cat "$part" > "$path" && rm -f -- "$part" && exit
  fi
  rm -f -- "$part"
  exit 1
fi
if [ -f "$file" ] && [ -w "$file" ]; then echo "It is written in place and may be cut." >&2; fi
cat > "$file"`;

/**
 * The program that writes its standard input into a file.
 * @param lasting - The folders that programs may write, and that stay after the call.
 */
export function writeProgram(path: string, id: string, lasting: readonly string[]): readonly string[] {
  return ["sh", "-c", writeScript, "sh", path, id, ...lasting];
}

/** The program that removes what a write has left that was ended. */
export function cleanProgram(path: string, id: string): readonly string[] {
  return ["sh", "-c", `${names} && rm -f -- "$part"`, "sh", path, id];
}
