/** What models, tools and providers send to harm whoever looks at it. */
import { Agent, run, tool } from "skein";
import { ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";

useBrowser();

const script =
  "<script>window.pwned = 1</script><img src=x onerror='window.pwned = 2'><svg onload='window.pwned = 3'>";
const ansi = "\u001b[31mred\u001b]0;title\u0007";
const direction = "safe \u202egnp.exe\u2066 text\u200b";
const link = "javascript:window.pwned=4";
const long = "x".repeat(1_000_000);
const prototype =
  '{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 2}}, "amount": 1}';

function agentOf(): Agent {
  const say = tool({
    name: "say",
    description: script,
    input: { type: "object", properties: { amount: { type: "number", description: script } } },
    approval: false,
    execute: () => ({ html: script, ansi, direction, link, long, data: JSON.parse(prototype) }),
  });
  const ask = tool({
    name: "ask",
    description: ansi + direction,
    input: { type: "object", properties: { [script]: { type: "string" } } },
    approval: true,
    execute: () => "",
  });
  return new Agent({
    name: `<b>Agent</b> ${direction}`,
    instructions: script + ansi,
    model: new ScriptedModel([
      {
        reasoning: script,
        text: script + ansi + direction,
        toolCalls: [
          { toolName: "say", arguments: prototype },
          { toolName: "say", arguments: `{"amount": "${"<script>".repeat(3)}"}` },
          { toolName: script, arguments: script },
        ],
      },
      {
        text: `[click](${link}) ${long}`,
        toolCalls: [{ toolName: "ask", arguments: JSON.stringify({ [script]: script }) }],
      },
    ]),
    tools: [say, ask],
  });
}

test("scripts, escapes, directions, long lines and keys of prototypes are shown as text, on every page", async () => {
  const { url } = await openStudio([agentOf()]);
  const tab = await Tab.open(url);
  await tab.say(script + ansi);
  await tab.page.getByRole("heading", { name: "Your decision" }).waitFor();
  await tab.page.locator(".cardh").nth(0).click();
  const place = await tab.openNewestRun();
  const pages = [
    "#/chat",
    "#/runs",
    "#/approvals",
    "#/agents",
    place,
    `${place}/wire/1`,
    `${place}/wire/2`,
    ...[2, 3, 4].map((step) => `${place}/call/${step}`),
  ];
  for (const page of pages) {
    await tab.go(page);
    await tab.page.locator("main h1").waitFor();
    await tab.page.keyboard.press("End");
    const harm = await tab.page.evaluate(() => ({
      pwned: Reflect.get(globalThis, "pwned"),
      polluted: Reflect.get({}, "polluted"),
      elements: document.querySelectorAll(
        "script:not([src]), img, iframe, object, embed, body a[href^=javascript]",
      ).length,
      // oxlint-disable-next-line no-control-regex -- these are what must not be there
      raw: /[\u001b\u0007\u202e\u2066]/.test(document.body.textContent ?? ""),
      wide: document.documentElement.scrollWidth > innerWidth + 1,
    }));
    expect({ page, ...harm }).toEqual({
      page,
      pwned: undefined,
      polluted: undefined,
      elements: 0,
      raw: false,
      wide: false,
    });
  }
  await tab.go(place);
  await tab.page.locator(".conv", { hasText: "\\u{1b}[31mred" }).waitFor();
  await tab.go(`${place}/call/2`);
  await tab.page.locator(".tc", { hasText: "<img src=x" }).waitFor();
  await tab.button("All of it").click();
  await expect
    .poll(async () => (await tab.page.getByLabel("Result").textContent())?.length, { timeout: 15_000 })
    .toBeGreaterThan(1_000_000);
  await tab.page.keyboard.press("Control+k");
  await tab.page.keyboard.type("script");
  await tab.page.locator("dialog[open] li").first().waitFor();
  expect(tab.failures).toEqual([]);
});

test("a run of 2,000 calls and one of 20,000 pieces can be looked at without waiting", async () => {
  const note = tool({ name: "note", input: { type: "object" }, execute: () => "Noted." });
  const toolCalls = Array.from({ length: 2_000 }, (_, index) => ({ toolName: "note", arguments: { index } }));
  const many = new Agent({ name: "Many", model: new ScriptedModel([{ toolCalls }, "Done."]), tools: [note] });
  const long = new Agent({
    name: "Long",
    model: new ScriptedModel([{ text: "word ".repeat(20_000), chunkSize: 5 }]),
  });
  const { url } = await openStudio([many, long]);
  await run(many, "Go", { runId: "many" });
  await run(long, "Go", { runId: "long" });
  const tab = await Tab.open(url);
  await tab.go("#/runs/many");
  await tab.page.locator(".row").nth(1_999).waitFor({ state: "attached" });
  await tab.page.keyboard.press("Home");
  await tab.page.keyboard.press("j");
  await tab.page.locator(".row[aria-selected=true]", { hasText: "note" }).waitFor();
  await tab.go("#/runs/long");
  await tab.page.locator(".conv", { hasText: "word word" }).waitFor();
  await tab.go("#/chat");
  await tab.page.locator(".pick select").selectOption("Long");
  await tab.say("Tell me more.");
  await tab.page.locator(".flow .note.b, .flow .msg p").nth(1).waitFor();
  expect(tab.failures).toEqual([]);
});
