import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, vi } from "vitest";

const execute = promisify(execFile);

/** A real terminal: tmux runs a program in one, types, pastes, and says what is on the screen. */
export interface Terminal {
  /** Types a text, letter by letter. */
  type(text: string): Promise<void>;
  /** Presses keys by tmux's names for them: `Enter`, `Tab`, `Up`, `C-c`. */
  press(...keys: string[]): Promise<void>;
  /** Pastes a text as a person does, with marks around it if the program has asked for them. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** What is on the screen, with its history; lines without spaces at their ends. */
  screen(): Promise<string>;
  /** The same with the codes of styles. */
  styledScreen(): Promise<string>;
  /** Waits until the screen shows it. @returns the screen. */
  see(text: string | RegExp): Promise<string>;
  close(): Promise<void>;
}

/** How long a busy machine may take until something is seen, in milliseconds. */
const patience = { timeout: 45_000, interval: 50 };

/** Makes sure that there is a tmux, on systems whose packages can be installed by this user. */
export async function installTmux(): Promise<boolean> {
  const isThere = (): Promise<boolean> => execute("tmux", ["-V"]).then(Boolean, () => false);
  if (await isThere()) return true;
  if (process.getuid?.() !== 0) return false;
  await execute("apt-get", ["install", "-y", "tmux"]).catch(() => undefined);
  return isThere();
}

/** Runs a shell command in a terminal of its own. */
export async function openTerminal(
  command: string,
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
    readonly columns?: number;
    readonly rows?: number;
  },
): Promise<Terminal> {
  const { cwd, env, columns = 80, rows = 40 } = options;
  const server = `skein-${crypto.randomUUID()}`;
  const tmux = async (...args: string[]): Promise<string> => {
    const { stdout } = await execute("tmux", ["-L", server, "-f", "/dev/null", "-u", ...args], {
      env: { PATH: process.env["PATH"] ?? "", HOME: env["HOME"] ?? "", TERM: "xterm-256color" },
    });
    return stdout;
  };
  const variables = Object.entries(env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("new-session", "-d", ...size, "-c", cwd, ...variables, command);
  const screen = async (...flags: string[]): Promise<string> => {
    return (await tmux("capture-pane", "-p", "-S", "-200", ...flags)).replaceAll(/ +$/gm, "").trimEnd();
  };
  return {
    type: async (text) => void (await tmux("send-keys", "-l", "--", text)),
    press: async (...keys) => void (await tmux("send-keys", ...keys)),
    async paste(text) {
      await tmux("set-buffer", "--", text);
      await tmux("paste-buffer", "-p");
    },
    resize: async (width, height) =>
      void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    screen: () => screen(),
    styledScreen: () => screen("-e"),
    see: (text) =>
      vi.waitFor(async () => {
        const shown = await screen();
        if (typeof text === "string") expect(shown).toContain(text);
        else expect(shown).toMatch(text);
        return shown;
      }, patience),
    close: async () => void (await tmux("kill-server")),
  };
}
