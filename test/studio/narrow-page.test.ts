/** What has little room: a narrow window, and long names. */
import { Agent } from "skein";
import { FunctionModel, ScriptedModel } from "skein/testing";
import { expect, test } from "vitest";
import { openStudio, Tab, useBrowser } from "./browser.ts";

useBrowser();

test("at 390 pixels no text touches the edge, and the context can be set", async () => {
  const model = new FunctionModel(() => "Hello.");
  const { url } = await openStudio([new Agent({ name: "Desk", model })]);
  const { page } = await Tab.open(url, { width: 390, height: 844 });
  const heading = page.getByRole("heading", { name: "Say something to Desk" });
  expect((await heading.boundingBox())?.x).toBeGreaterThanOrEqual(12);
  const context = page.getByLabel("Context of the next conversation");
  expect(await context.isVisible()).toBe(false);
  await page.getByText("Context of the next conversation").click();
  await context.fill('{"user": "ada"}');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  // It is opened by its key, too.
  await page.getByText("Context of the next conversation").click();
  await page.getByLabel("Message").press("Alt+c");
  expect(await context.evaluate((field) => document.activeElement === field)).toBe(true);
});

test("long names of agents do not lie on each other where the lead is shown", async () => {
  const model = new ScriptedModel([]);
  const last = new Agent({ name: "Accounting and taxes department", model });
  const middle = ["Refunds and returns desk", "Complaints and praise desk"].map(
    (name) => new Agent({ name, model, handoffs: [last] }),
  );
  const { url } = await openStudio([new Agent({ name: "Customer support triage", model, handoffs: middle })]);
  const { page } = await Tab.open(url);
  const names = page.locator(".side svg.flight text");
  await expect.poll(() => names.count()).toBe(4);
  const boxes = await names.evaluateAll((texts) =>
    texts.map((text) => {
      const { left, right, top, bottom } = text.getBoundingClientRect();
      return { left, right, top, bottom };
    }),
  );
  const overlaps = boxes.flatMap((one, index) =>
    boxes
      .slice(index + 1)
      .filter(
        (other) =>
          one.left < other.right &&
          other.left < one.right &&
          one.top < other.bottom &&
          other.top < one.bottom,
      ),
  );
  expect(overlaps).toEqual([]);
});
