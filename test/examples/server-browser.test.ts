/** Both pages of the server's example, in a real Chromium. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  eventually,
  expectPart,
  expectTexts,
  openShop,
  runCurl,
  type Shop,
  story,
  Tab,
} from "./desk-pages.ts";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
}, 240_000);
afterAll(() => shop.close());

const moneyBack = "I want my money back for order 7.";
const tellMe = "Tell me the story of the shop.";

describe.each(["react", "plain"])("the page %s", (name) => {
  /** A user of their own for each test, so that no test sees the conversations of another. */
  const open = async (user: string): Promise<Tab> => {
    const context = await shop.open(`${name}-${user}`);
    return Tab.open(context, `${shop.url}/${name}`);
  };

  /** A call that waits for a decision. */
  const waiting = async (user: string): Promise<Tab> => {
    const tab = await open(user);
    await tab.say(moneyBack);
    await tab.page.getByLabel("Arguments").waitFor();
    return tab;
  };

  const another = async (tab: Tab, address = tab.page.url()): Promise<Tab> =>
    Tab.open(tab.page.context(), address);

  test("shows an answer, a call and a handoff, and the same after a reload", async () => {
    const tab = await open("chat");
    await tab.say("Where is the parcel of order 8?");
    const answer = "The parcel of order 8 is at the depot, and comes tomorrow.";
    await expectTexts(tab, "Where is the parcel of order 8?", answer);
    expect(await tab.cards()).toBe(`trackParcel {"order":8}${answer}`);
    expect(await tab.notes()).toEqual(["Desk hands over to Parcels."]);
    await tab.reload();
    await expectTexts(tab, "Where is the parcel of order 8?", answer);
    expect(await tab.cards()).toBe(`trackParcel {"order":8}${answer}`);
    await tab.say("What are my orders?");
    await eventually(async () => (await tab.texts()).at(-1) ?? "").toMatch(
      /-chat has order 7.*55 euros\)\.$/,
    );
  });

  test("shows the agent that is called as a tool", async () => {
    const tab = await open("research");
    await tab.say("Which tent is light?");
    await eventually(async () => (await tab.texts())[1] ?? "").toMatch(/^These fit: Alder.*240 euros\.$/);
    expect(await tab.cards()).toMatch(/research.*searchCatalogue/s);
    expect(await tab.cards()).toMatch(/These fit: Alder/);
    expect(tab.failures).toEqual([]);
  });

  test("stops an answer, and goes on with another", async () => {
    const tab = await open("stop");
    await tab.say(tellMe);
    await expectPart(tab);
    await tab.press("Stop");
    await eventually(() => tab.notes()).toEqual(["Stopped."]);
    const [, part = ""] = await tab.texts();
    await expectTexts(tab, tellMe, part);
    expect(part.length).toBeLessThan(story.length);
    await tab.reload();
    await expectTexts(tab, tellMe, part);
    await tab.say("What are my orders?");
    await eventually(async () => (await tab.texts()).at(-1) ?? "").toMatch(
      /-stop has order 7.*55 euros\)\.$/,
    );
  });

  test("has all of an answer after a reload in the middle of it", async () => {
    const tab = await open("reload");
    await tab.say(tellMe);
    await expectPart(tab);
    await tab.reload();
    await eventually(() => tab.works()).toBe(true);
    await expectPart(tab);
    await tab.reload();
    await expectTexts(tab, tellMe, story);
    await tab.reload();
    await expectTexts(tab, tellMe, story);
  });

  test("an approved call is executed", async () => {
    const tab = await waiting("approve");
    await tab.press("Approve");
    const paid = `80 euros of order 7 are paid to ${name}-approve.`;
    await expectTexts(tab, moneyBack, `Done. ${paid}`);
    expect(await tab.cards()).toBe(`refund {"order":7,"euros":80}${paid}`);
  });

  test("a denied call is not executed", async () => {
    const tab = await waiting("deny");
    await tab.press("Deny");
    await expectTexts(tab, moneyBack, "It is not paid back: the refund was denied.");
    expect(await tab.cards()).toMatch(/^refund .*Denied\.$/);
  });

  test("a call is executed with the arguments that a person has edited, after a reload too", async () => {
    const tab = await waiting("edit");
    await tab.reload();
    await tab.page.getByLabel("Arguments").fill("{ not JSON");
    expect(await tab.page.getByRole("button", { name: "Approve" }).isEnabled()).toBe(false);
    await tab.page.getByLabel("Arguments").fill('{ "order": 7, "euros": 40 }');
    await tab.press("Approve");
    await expectTexts(tab, moneyBack, `Done. 40 euros of order 7 are paid to ${name}-edit.`);
    await tab.reload();
    await expectTexts(tab, moneyBack, `Done. 40 euros of order 7 are paid to ${name}-edit.`);
  });

  test("a second tab sees the answer that is under way", async () => {
    const tab = await open("tabs");
    await tab.say(tellMe);
    await expectPart(tab);
    const second = await another(tab);
    await expectPart(second);
    await Promise.all([expectTexts(tab, tellMe, story), expectTexts(second, tellMe, story)]);
    await second.say("What are my orders?");
    await eventually(async () => (await second.texts()).at(-1) ?? "").toMatch(
      /-tabs has order 7.*55 euros\)\.$/,
    );
    await tab.page.evaluate(() => dispatchEvent(new Event("focus")));
    await expectTexts(tab, ...(await second.texts()));
  });

  test("of two messages at once one is answered, and the other tab shows that", async () => {
    const one = await open("busy");
    const two = await another(one);
    await Promise.all([one.say(tellMe), two.say(`Please: ${tellMe}`)]);
    const problems = async () => [await one.problem(), await two.problem()];
    await eventually(async () => (await problems()).filter((each) => each !== "").length).toBe(1);
    const [first, loser] = (await one.problem()) === "" ? [one, two] : [two, one];
    expect(await loser.problem()).toMatch("A run of this conversation works.");
    const show = loser.page.getByRole("button", { name: "Show the conversation" });
    if (name === "react") await show.click();
    const question = (await first.texts())[0] ?? "";
    await expectTexts(first, question, story);
    await expectTexts(loser, question, story);
  });

  test("a user does not find the conversation of another by its id", async () => {
    const ada = await waiting("ada");
    const bob = await Tab.open(await shop.open(`${name}-bob`), ada.page.url());
    await expectTexts(bob);
    expect(await bob.cards()).toBe("");
    const { run } = await ada.page.evaluate(async (id) => (await fetch(`/sessions/${id}`)).json(), ada.id);
    const statuses = await bob.page.evaluate(
      async ([id = "", run = ""]) => {
        const paths = [`/sessions/${id}`, `/runs/${run}`, `/runs/${run}/events`, `/v1/responses/${run}`];
        return Promise.all(paths.map(async (path) => (await fetch(path)).status));
      },
      [ada.id, String(run.id)],
    );
    expect(statuses).toEqual([404, 404, 404, 404]);
    await bob.say(tellMe);
    await expectTexts(bob, tellMe, story);
    expect(await ada.texts()).toEqual([moneyBack]);
  });
});

test("curl.sh starts a run, follows it, and approves it with other arguments", async () => {
  const steps = (await runCurl(shop.url)).split(/^== .*$/m);
  expect(steps[2]).toMatch(/"type":"run-end".*"status":"paused"/);
  expect(steps[3]).toMatch(/"approvalId":"\w+"/);
  expect(steps[4]).toMatch(/"text":"Done\. 40 euros of order 7 are paid to ada\."/);
  expect(steps[5]).toMatch("I want my money back for order 7.");
});
