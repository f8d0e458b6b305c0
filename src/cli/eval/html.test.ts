import { expect, test } from "vitest";
import { html } from "./html.ts";

test("escapes any value that is not HTML itself", () => {
  const inner = html`<b title="${'"><script>'}">${"a & b's"}</b>`;
  expect(html`<p>${inner}${[1, "<", [inner]]}</p>`.text).toBe(
    '<p><b title="&quot;&gt;&lt;script&gt;">a &amp; b&#39;s</b>1&lt;<b title="&quot;&gt;&lt;script&gt;">a &amp; b&#39;s</b></p>',
  );
});
