/**
 * Draws `docs/session.svg`, the session that README.md shows: `node scripts/session-svg.ts`. It is what `skein chat` prints for
 * these lines on the offline model, and the same each time; a test holds the picture to it.
 */
import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { promisify, stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("../", import.meta.url));

const command = "npx skein chat examples/triage/agent.ts";
const said = ["What do you sell?", "Item 2 is broken, I want my money back"];

const character = { width: 8.4, height: 20, size: 14 };
const margin = 20;

/** The classes of SGR codes ("Select Graphic Rendition", ECMA-48, 8.3.117), and what ends them. */
const styles: ReadonlyMap<number, { readonly kind: "weight" | "colour"; readonly name?: string }> = new Map([
  [0, { kind: "colour" }],
  [1, { kind: "weight", name: "bold" }],
  [2, { kind: "weight", name: "dim" }],
  [22, { kind: "weight" }],
  [31, { kind: "colour", name: "red" }],
  [32, { kind: "colour", name: "green" }],
  [33, { kind: "colour", name: "yellow" }],
  [34, { kind: "colour", name: "blue" }],
  [35, { kind: "colour", name: "magenta" }],
  [36, { kind: "colour", name: "cyan" }],
  [39, { kind: "colour" }],
]);

/** Dark colours on light ground, and the other way round where the reader's system is dark. */
const css = `
  .ground { fill: #f6f8fa; stroke: #d0d7de; }
  text { font: ${character.size}px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328; }
  .bold { font-weight: bold; } .dim { fill: #59636e; } .red { fill: #b3261e; } .green { fill: #116329; }
  .yellow { fill: #7d4e00; } .blue { fill: #0550ae; } .magenta { fill: #8250df; } .cyan { fill: #0a6570; }
  @media (prefers-color-scheme: dark) {
    .ground { fill: #0d1117; stroke: #30363d; }
    text { fill: #e6edf3; }
    .dim { fill: #9198a1; } .red { fill: #ff7b72; } .green { fill: #7ee787; }
    .yellow { fill: #e3b341; } .blue { fill: #79c0ff; } .magenta { fill: #d2a8ff; } .cyan { fill: #76e3ea; }
  }`;

/** The session, as a terminal is sent it. */
async function session(): Promise<string> {
  const chat = ["--import", "./test/from-source.ts", "src/cli/bin.ts", "chat", "examples/triage/agent.ts"];
  const running = promisify(execFile)(process.execPath, chat, {
    cwd: root,
    env: { PATH: process.env["PATH"], HOME: process.env["HOME"], SKEIN_MODEL: "offline", FORCE_COLOR: "1" },
  });
  running.child.stdin?.end(`${said.join("\n")}\n`);
  const { stdout } = await running;
  return `$ ${command}\n${stdout.trimEnd()}`;
}

/** Text with SGR codes as a picture. */
function draw(text: string): string {
  const lines = text.split("\n");
  const columns = Math.max(...lines.map((line) => stripVTControlCharacters(line).length));
  const width = Math.ceil(columns * character.width) + 2 * margin;
  const height = lines.length * character.height + 2 * margin;
  const classes = new Map<string, string>();
  const drawn = lines.map((line, index) => {
    const y = margin + (index + 0.75) * character.height;
    return `  <text x="${margin}" y="${y}" xml:space="preserve">${spans(line, classes)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>A session of ${command}</title>
  <style>${css}
  </style>
  <rect class="ground" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${drawn.join("\n")}
</svg>
`;
}

/** A line in spans of one style each; `classes` says which hold, from line to line. */
function spans(line: string, classes: Map<string, string>): string {
  const [first = "", ...others] = line.split("\u001B[");
  const styled = others.map((piece) => {
    const end = piece.indexOf("m");
    for (const code of piece.slice(0, end).split(";")) applyCode(Number(code), classes);
    return span(piece.slice(end + 1), classes);
  });
  return [span(first, classes), ...styled].join("");
}

function span(text: string, classes: ReadonlyMap<string, string>): string {
  if (text === "" || classes.size === 0) return escaped(text);
  return `<tspan class="${[...classes.values()].join(" ")}">${escaped(text)}</tspan>`;
}

/** @throws Error for a code that has no class: the picture would not show what the terminal does. */
function applyCode(code: number, classes: Map<string, string>): void {
  const style = styles.get(code);
  if (!style) throw new Error(`the session has a code of the terminal that is not drawn: ${code}`);
  if (code === 0) classes.clear();
  else if (style.name === undefined) classes.delete(style.kind);
  else classes.set(style.kind, style.name);
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** The picture of a session that is held now. */
export async function sessionSvg(): Promise<string> {
  return draw(await session());
}

if (import.meta.main) await writeFile(new URL("../docs/session.svg", import.meta.url), await sessionSvg());
