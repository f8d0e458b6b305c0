import { gitAdvice } from "./git-name.ts";

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
 * Refuses what is in a `.git` below the folder where programs start, however a path leads there: what it holds runs on the machine when git
 * is called. What is written is written from the folder that is entered here, so no link that is made later leads elsewhere.
 */
const refuseGit = `refuse_git() {
    case /\${1#"$root"}/ in */.[gG][iI][tT]/*)
      echo "It is in .git, ${gitAdvice}" >&2
      exit 1
    esac
  }
  enter() { cd -P -- "$1" && refuse_git "$(pwd -P)/$2"; }`;

/** Finds the folder on the way to a file that is there already. */
const findParent = `place=\${file%/*}/
    while [ ! -d "$place" ]; do
      place=\${place%/}
      case $place in */*) place=\${place%/*}/ ;; *) place=./ ;; esac
    done`;

/**
 * Writes a file beside the one that is to be written and puts it in its place with the mode of that, so that a failure leaves what was
 * there. What cannot be replaced, such as a device or a file that is mounted, is written in place.
 */
const writeScript = `file=$1 keep=$3 stays= root=$(pwd -P)
${refuseGit}
case $file in */*)
  if [ -n "$keep" ]; then
    ${findParent}
    (enter "$place" "") || exit 1
  fi
  mkdir -p -- "\${file%/*}/" || exit 1
esac
if ${names}; then
  shift 3
  ${refuseLost}
  if [ -n "$keep" ]; then
    enter "\${path%/*}/" "\${path##*/}" || exit 1
    path=./\${path##*/} part=./\${part##*/} file=$path
  fi
elif [ -n "$keep" ]; then
  echo "Its path leads nowhere." >&2
  exit 1
fi
if [ -p "$file" ]; then echo "It is a pipe, not a file." >&2; exit 1; fi
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
 * @param keepGit - Whether it refuses a file in a `.git`.
 * @param lasting - The folders that programs may write, and that stay after the call.
 */
export function writeProgram(
  path: string,
  id: string,
  keepGit: boolean,
  lasting: readonly string[],
): readonly string[] {
  return ["sh", "-c", writeScript, "sh", path, id, keepGit ? "1" : "", ...lasting];
}

/** The program that removes what a write has left that was ended. */
export function cleanProgram(path: string, id: string): readonly string[] {
  return ["sh", "-c", `${names} && rm -f -- "$part"`, "sh", path, id];
}
