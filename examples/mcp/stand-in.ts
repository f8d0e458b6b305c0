import { tool } from "skein";
import { mcp, type McpToolset, serveMcp } from "skein/mcp";

/** Something on a page that can be used. */
interface Control {
  readonly kind: "link" | "textbox" | "button";
  readonly label: string;
  /** Where it leads. */
  readonly target: string;
  /** What the form around it sends, if it is in one. */
  readonly form?: URLSearchParams;
  /** The name of a textbox. */
  readonly field?: string;
}

/**
 * A browser for tests: an MCP server with three of Playwright's tools, and their names for things, that knows just enough HTML for
 * the pages of the shop.
 */
export async function serveBrowser(): Promise<{
  readonly browser: McpToolset;
  readonly close: () => Promise<void>;
}> {
  let url = "";
  let text = "The page is empty.";
  let controls: readonly Control[] = [];

  async function load(target: string, form?: URLSearchParams): Promise<string> {
    const response = await fetch(new URL(target, url || undefined), form && { method: "POST", body: form });
    url = response.url;
    const html = await response.text();
    text = [...html.matchAll(/<(?:h1|p)>([^<]*)</g)].map(([, words]) => `- text: ${words}`).join("\n");
    controls = controlsOf(html);
    return snapshot();
  }

  function snapshot(): string {
    const lines = controls.map(({ kind, label }, index) => `- ${kind} "${label}" [ref=e${index + 1}]`);
    return `- Page URL: ${url}\n${[text, ...lines].join("\n")}`;
  }

  function control(ref: string, ...kinds: readonly Control["kind"][]): Control {
    const found = controls[Number(ref.replace(/^e/, "")) - 1];
    if (!found || !kinds.includes(found.kind))
      throw new Error(`Ref ${ref} not found in the current page snapshot.`);
    return found;
  }

  const target = { type: "string", description: "Exact target element reference from the page snapshot" };
  const element = { type: "string", description: "Human-readable element description" };
  const serving = await serveMcp(
    {
      tools: [
        tool<{ url: string }>({
          name: "browser_navigate",
          description: "Navigate to a URL",
          input: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
          execute: ({ url }) => load(url),
        }),
        tool({
          name: "browser_snapshot",
          description: "Capture accessibility snapshot of the current page",
          input: { type: "object", properties: {} },
          execute: snapshot,
        }),
        tool<{ target: string }>({
          name: "browser_click",
          description: "Perform click on a web page",
          input: { type: "object", properties: { element, target }, required: ["target"] },
          execute: ({ target }) => {
            const found = control(target, "link", "button");
            return load(found.target, found.form);
          },
        }),
        tool<{ target: string; text: string }>({
          name: "browser_type",
          description: "Type text into editable element",
          input: {
            type: "object",
            properties: { element, target, text: { type: "string" } },
            required: ["target", "text"],
          },
          execute: ({ target, text }) => {
            const { form, field = "" } = control(target, "textbox");
            form?.set(field, text);
            return `Typed ${text}.`;
          },
        }),
      ],
    },
    { transport: { http: { port: 0 } } },
  );
  const browser = mcp({ name: "browser", url: serving.url ?? "" });
  return {
    browser,
    close: async () => {
      await browser.close();
      await serving.close();
    },
  };
}

function controlsOf(html: string): Control[] {
  const links = [...html.matchAll(/<a href="([^"]*)">([^<]*)</g)].map(
    ([, target = "", label = ""]): Control => ({ kind: "link", label, target }),
  );
  const forms = [...html.matchAll(/<form method="post" action="([^"]*)">(.*?)<\/form>/gs)];
  return [...links, ...forms.flatMap(([, target = "", inner = ""]) => formControls(target, inner))];
}

function formControls(target: string, html: string): Control[] {
  const form = new URLSearchParams();
  for (const [, name = "", value = ""] of html.matchAll(
    /<input type="hidden" name="([^"]*)" value="([^"]*)"/g,
  ))
    form.set(name, value);
  const boxes = [...html.matchAll(/<input name="([^"]*)" aria-label="([^"]*)"/g)].map(
    ([, field = "", label = ""]): Control => ({ kind: "textbox", label, target, form, field }),
  );
  const buttons = [...html.matchAll(/<button>([^<]*)</g)].map(([, label = ""]): Control => ({
    kind: "button",
    label,
    target,
    form,
  }));
  return [...boxes, ...buttons];
}
