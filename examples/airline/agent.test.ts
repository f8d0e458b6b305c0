import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type JsonObject, run } from "skein";
import { ScriptedModel } from "skein/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { stopAtEveryTool } from "../test-stops.ts";
import { serviceDesk, type Caller } from "./agent.ts";
import { Airline } from "./airline.ts";

let airline: Airline;
beforeEach(() => void (airline = new Airline()));
afterEach(() => airline.close());

const seats = (flight: string): number => airline.flight(flight).seatsLeft;

const call = (toolName: string, args: JsonObject = {}) => ({ toolCalls: [{ toolName, arguments: args }] });
const toCancel = [call("transfer_to_flight_modification"), call("transfer_to_flight_cancel")];
const toChange = [call("transfer_to_flight_modification"), call("transfer_to_flight_change")];

/** The results that the model got for the calls of its last turn but one. */
async function readLastResults(turns: readonly object[], context: Caller = {}): Promise<string> {
  const model = new ScriptedModel([...turns, "Done."]);
  await run(serviceDesk(airline), "Help me", { model, context });
  model.assertComplete();
  return JSON.stringify(model.requests.at(-1)?.messages.at(-1));
}

test("a flexible fare is cancelled for a refund: booking, seat and payment belong together", async () => {
  expect(await readLastResults([...toCancel, call("refundFlight", { reason: "ill" })])).toContain(
    "420 dollars are paid back",
  );
  expect(airline.changes()).toEqual(["A1 is cancelled", "A1 gets refund of 420"]);
  expect(seats("SK1919")).toBe(13);
});

test("a basic fare is not paid back, whatever the model says; credits are given", async () => {
  const session = { booking: "B2" };
  expect(await readLastResults([...toCancel, call("refundFlight")], session)).toContain(
    "offer flight credits",
  );
  expect(airline.changes()).toEqual([]);
  await readLastResults([...toCancel, call("creditFlight")], session);
  expect(airline.changes()).toEqual(["B2 is cancelled", "B2 gets credits of 290"]);
});

test("nothing is paid back twice", async () => {
  await readLastResults([...toCancel, call("refundFlight")]);
  expect(await readLastResults([...toCancel, call("creditFlight")])).toContain("A1 is cancelled already");
  expect(airline.changes()).toEqual(["A1 is cancelled", "A1 gets refund of 420"]);
  expect(seats("SK1919")).toBe(13);
});

test("a change moves the booking and a seat", async () => {
  expect(
    await readLastResults([...toChange, call("listFlights"), call("changeFlight", { flightId: "SK1921" })]),
  ).toContain("departs at 2031-05-22T09:30");
  expect(airline.booking("A1").flight.id).toBe("SK1921");
  expect([seats("SK1919"), seats("SK1921")]).toEqual([13, 29]);
});

test.each<[string, string, Caller, string]>([
  ["a full flight", "SK1922", {}, "SK1922 is full"],
  ["another route", "SK2001", {}, "flies from BOS to SFO, another route"],
  ["an unknown flight", "SK0000", {}, "there is no flight SK0000"],
  ["the same flight", "SK1919", {}, "is on SK1919 already"],
  ["a basic fare", "SK1921", { booking: "C3" }, "cannot be changed"],
  ["no number of a flight", "tomorrow", {}, "expected a string matching"],
])("%s is refused, and nothing changes", async (_title, flightId, session, words) => {
  expect(await readLastResults([...toChange, call("changeFlight", { flightId })], session)).toContain(words);
  expect(airline.changes()).toEqual([]);
  expect(["SK1919", "SK1921", "SK1922"].map(seats)).toEqual([12, 30, 0]);
});

test("the last seat goes to one of two customers", async () => {
  const toLast = [...toChange, call("changeFlight", { flightId: "SK1920" })];
  await readLastResults(toLast);
  expect(seats("SK1920")).toBe(0);
  expect(await readLastResults(toLast, { booking: "D4" })).toContain("SK1920 is full");
  expect(airline.changes()).toEqual(["A1 flies SK1920"]);
});

test("bags of others are not to be found; those that are lost are left to a person", async () => {
  const toBaggage = [call("transfer_to_lost_baggage")];
  expect(await readLastResults([...toBaggage, call("searchBaggage", { tag: "T200" })])).toContain(
    "has no bag with the tag T200",
  );
  expect(await readLastResults([...toBaggage, call("searchBaggage", { tag: "T100" })])).toContain(
    "found in Denver",
  );
  await readLastResults([
    ...toBaggage,
    call("searchBaggage", { tag: "T101" }),
    call("escalate", { reason: "lost" }),
  ]);
  expect(airline.changes()).toEqual(["T100 was searched for", "T101 was searched for", "A1 escalated"]);
});

test("every agent knows its policy and the customer's booking as it is by then", async () => {
  const model = new ScriptedModel([...toCancel, call("refundFlight"), "Done."]);
  await run(serviceDesk(airline), "Cancel", { model });
  const contents = model.requests.map(({ instructions = "" }) => [
    instructions.includes("# Cancellation"),
    instructions.includes('"status":"cancelled"'),
    instructions.includes('"customer":"James Howe"'),
  ]);
  expect(contents).toEqual([
    [false, false, true],
    [false, false, true],
    [true, false, true],
    [true, true, true],
  ]);
});

test("everybody can hand back to Triage, and those who modify flights to each other", async () => {
  const model = new ScriptedModel([
    ...toCancel,
    call("transfer_to_flight_modification"),
    call("transfer_to_flight_change"),
    call("transfer_to_triage"),
    call("transfer_to_lost_baggage"),
    call("transfer_to_triage"),
    "Hello again.",
  ]);
  const { agent } = await run(serviceDesk(airline), "Hello", { model });
  expect(agent.name).toBe("Triage");
  expect(model.requests[1]?.parallelToolCalls).toBe(false);
});

test("stopped at any tool, the database has what was told as done, whole, and nothing else", async () => {
  const stops = await stopAtEveryTool({
    open: () => {
      airline.close();
      airline = new Airline();
      const model = new ScriptedModel([
        call("transfer_to_lost_baggage"),
        call("searchBaggage", { tag: "T100" }),
        call("transfer_to_triage"),
        ...toChange,
        { toolCalls: [{ toolName: "canChange" }, { toolName: "listFlights" }] },
        call("changeFlight", { flightId: "SK1920" }),
        call("transfer_to_flight_modification"),
        call("transfer_to_flight_cancel"),
        call("refundFlight"),
        call("resolveCase"),
        "Done.",
      ]);
      return { agent: serviceDesk(airline), model };
    },
    check: (done) => {
      const changed = done.includes("changeFlight");
      const refunded = done.includes("refundFlight");
      expect(airline.changes()).toEqual([
        ...(refunded ? ["A1 is cancelled", "A1 gets refund of 420"] : []),
        ...(changed ? ["A1 flies SK1920"] : []),
        ...(done.includes("searchBaggage") ? ["T100 was searched for"] : []),
        ...(done.includes("resolveCase") ? ["A1 resolved"] : []),
      ]);
      expect(seats("SK1919")).toBe(changed ? 13 : 12);
      expect(seats("SK1920")).toBe(changed && !refunded ? 0 : 1);
    },
  });
  expect(stops).toBe(24);
});

test("a database in a file is seeded once, and is there the next time", async () => {
  const folder = await mkdtemp(join(tmpdir(), "skein-airline-"));
  const file = join(folder, "airline.db");
  const first = new Airline(file);
  first.cancel("A1", "refund");
  first.close();
  const second = new Airline(file);
  expect(second.changes()).toEqual(["A1 is cancelled", "A1 gets refund of 420"]);
  expect(second.flight("SK1919").seatsLeft).toBe(13);
  second.close();
  await rm(folder, { recursive: true });
});
