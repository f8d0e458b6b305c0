import { run } from "skein";
import { afterEach, beforeEach, expect, test } from "vitest";
import { serviceDesk } from "../../examples/airline/agent.ts";
import { Airline } from "../../examples/airline/airline.ts";
import { startProvider, toolNames, told } from "./chat-provider.ts";
import { expectTranscript } from "./transcript.ts";

let airline: Airline;
beforeEach(() => void (airline = new Airline()));
afterEach(() => airline.close());

test("the README's transcript is a real one", () => expectTranscript("airline", serviceDesk(airline)));

test("over the wire: policies are the system prompt of the active agent, and no booking is a parameter", async () => {
  const provider = await startProvider([
    [{ tool: "transfer_to_flight_modification" }],
    [{ tool: "transfer_to_flight_cancel" }],
    [{ tool: "creditFlight", arguments: { reason: "a conflict" } }],
    "You have 290 dollars of credits.",
  ]);
  const { model } = provider;
  const { text } = await run(serviceDesk(airline), "Cancel my flight", { model, context: { booking: "B2" } });
  await provider.close();

  expect(text).toBe("You have 290 dollars of credits.");
  expect(airline.changes()).toEqual(["B2 is cancelled", "B2 gets credits of 290"]);
  const [triage, modification, cancel, end] = provider.requests;
  expect(triage && toolNames(triage)).toEqual([
    "transfer_to_flight_modification",
    "transfer_to_lost_baggage",
  ]);
  expect(modification && toolNames(modification)).toEqual([
    "transfer_to_flight_cancel",
    "transfer_to_flight_change",
    "transfer_to_triage",
  ]);
  expect(provider.requests.map((request) => request.parallel_tool_calls)).toEqual([
    undefined,
    false,
    undefined,
    undefined,
  ]);
  expect(cancel && told(cancel)[0]?.[1]).toMatch(
    /# Cancellation[^]*"customer":"Ada Byron"[^]*"status":"booked"/,
  );
  expect(end && told(end)[0]?.[1]).toContain('"status":"cancelled"');
  expect(end && told(end).slice(-2)).toEqual([
    ["assistant", 'creditFlight({"reason":"a conflict"})'],
    ["tool", "The flight is cancelled, and there are 290 dollars of flight credits. Reason: a conflict."],
  ]);
  expect(JSON.stringify(cancel?.tools)).not.toContain("booking");
});
