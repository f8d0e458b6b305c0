/** The variables of the environment that a server's program gets: those of the official SDK, none of which holds a secret. */
const inherited: Readonly<Record<"posix" | "windows", string>> = {
  posix: "HOME LOGNAME PATH SHELL TERM USER",
  windows:
    "APPDATA COMSPEC HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PATHEXT PROCESSOR_ARCHITECTURE PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE WINDIR",
};

/**
 * The environment of a program before what is configured for it. The SDK's own function comes with `cross-spawn`, which the
 * bundle of an ES module cannot execute.
 */
export function defaultEnvironment(): Readonly<Record<string, string>> {
  const names = inherited[process.platform === "win32" ? "windows" : "posix"].split(" ");
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      // Functions of a shell, which could be executed.
      return value === undefined || value.startsWith("()") ? [] : [[name, value] as const];
    }),
  );
}
