/** Which test files need a process of their own. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Reflection keeps what it has read of a program for the whole process, as it has to. */
const ofReflection = "src/sources/reflection/*.test.ts";

/** Clocks, modules, globals and the environment are those of all that runs in a process. */
const changesTheProcess =
  /\bvi\.(?:useFakeTimers|mock|doMock|stubGlobal|stubEnv)\(|\b(?:globalThis|process)\.\w+ = |\bprocess\.(?:env\[[^\]]+\] = |chdir\()/;

/**
 * Finds the test files that may not share a process with others, as paths from the root.
 * @param patterns - Which test files there are.
 */
export function testsApart(patterns: readonly string[]): readonly string[] {
  const files = globSync([...patterns], { cwd: root, exclude: ["**/node_modules/**", "**/.work/**"] });
  const apart = files.filter((file) => changesTheProcess.test(readFileSync(`${root}/${file}`, "utf8")));
  return [ofReflection, ...apart.map((file) => file.replaceAll("\\", "/"))];
}
