const openers = "([{";
const closers = ")]}";

/**
 * The names of a function's parameters, read from its source: `undefined` in the place of a destructured one.
 * Rest parameters are named without their dots. Gives `undefined` for native and bound functions.
 */
export function parameterNames(
  fn: (...args: never[]) => unknown,
): readonly (string | undefined)[] | undefined {
  const source = withoutComments(Function.prototype.toString.call(fn));
  if (/\{\s*\[native code\]\s*\}$/.test(source)) return undefined;
  const single = /^(?:async\s+)?([\w$]+)\s*=>/.exec(source);
  if (single?.[1]) return [single[1]];
  return splitParameters(source, source.indexOf("(") + 1).map(nameOf);
}

function nameOf(parameter: string): string | undefined {
  return /^(?:\.\.\.)?([\w$]+)/.exec(parameter)?.[1];
}

/** The texts between the commas of a parameter list that begins at `start`, nested brackets and strings skipped. */
function splitParameters(source: string, start: number): string[] {
  const parameters: string[] = [];
  let depth = 0;
  let from = start;
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === '"' || char === "'" || char === "`") at = endOfString(source, at);
    else if (openers.includes(char)) depth++;
    else if (closers.includes(char) && --depth < 0) {
      parameters.push(source.slice(from, at).trim());
      break;
    } else if (char === "," && depth === 0) {
      parameters.push(source.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parameters.filter((parameter) => parameter !== "");
}

function endOfString(source: string, start: number): number {
  const quote = source.charAt(start);
  let at = start + 1;
  while (at < source.length && source.charAt(at) !== quote) at += source.charAt(at) === "\\" ? 2 : 1;
  return at;
}

/** Removes comments; strings are kept as they are. */
function withoutComments(source: string): string {
  return source.replaceAll(
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g,
    (_, text: string | undefined) => text ?? "",
  );
}
