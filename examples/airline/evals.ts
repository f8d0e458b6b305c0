import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { agent, serviceDesk } from "./agent.ts";
import { Airline } from "./airline.ts";

const bookingOfAda = { booking: "B2" };
const cancelled = ["A1 is cancelled"];
const toCancel = ["transfer_to_flight_modification", "transfer_to_flight_cancel"];
const toChange = ["transfer_to_flight_modification", "transfer_to_flight_change"];

/** Which agent is active at the end, with nothing done yet. */
const routed = (agent: string, ...inputs: readonly string[]): EvalCase[] =>
  inputs.map((input) => ({ input, agent, state: [] }));

const changeTo = (flightId: string) => ({ tool: "changeFlight", arguments: { flightId } });
const search = (tag: string) => ({ tool: "searchBaggage", arguments: { tag } });

export const evaluation: Evaluation = defineEval({
  name: "airline",
  agent,
  setup: () => {
    const airline = new Airline();
    return { agent: serviceDesk(airline), state: () => airline.changes(), close: () => airline.close() };
  },
  cases: [
    // What Swarm tests of Triage: whom it transfers to, if to anybody.
    { input: "My bag was not delivered!", calls: ["transfer_to_lost_baggage"], state: [] },
    ...routed("Triage", "I had some turbulence on my flight", "What is the meaning of life?"),
    { input: "I want to cancel my flight please", calls: { include: toCancel.slice(0, 1) }, state: [] },
    // And of Flight Modification.
    { input: "I want to change my flight to one day earlier!", agent: "Flight Change", state: [] },
    {
      input: "I want to cancel my flight. I can't make it anymore due to a personal conflict",
      agent: "Flight Cancel",
      state: [],
    },
    {
      input: "I don't want this flight",
      never: ["refundFlight", "creditFlight"],
      agent: "Flight Modification",
    },

    ...routed("Triage", "Hello", "Thank you, bye", "Do you serve vegetarian meals?"),
    ...routed("Lost Baggage", "My suitcase did not arrive", "I can't find my luggage", "You lost my bag"),
    ...routed("Flight Change", "Can I fly a day later?", "I'd rather take a morning flight"),
    {
      input: "Cancel my flight, I want a refund",
      calls: { include: [...toCancel, "refundFlight"] },
      agent: "Flight Cancel",
      state: [...cancelled, "A1 gets refund of 420"],
    },
    {
      input: "Please cancel my flight and give me flight credits",
      calls: { include: ["creditFlight"] },
      never: ["refundFlight"],
      state: [...cancelled, "A1 gets credits of 420"],
    },
    {
      input: "Cancel my flight, please",
      user: ["I want my money back"],
      calls: { include: ["refundFlight"] },
      state: [...cancelled, "A1 gets refund of 420"],
    },
    {
      name: "a basic fare is not paid back: credits",
      input: "Cancel my flight and refund me",
      user: ["Then take flight credits"],
      context: bookingOfAda,
      calls: { include: ["creditFlight"] },
      state: ["B2 is cancelled", "B2 gets credits of 290"],
    },
    {
      name: "a basic fare is not changed",
      input: "Change my flight to another day",
      context: bookingOfAda,
      calls: { include: ["canChange"] },
      never: ["changeFlight"],
      state: [],
    },
    {
      input: "Which flights can I change to?",
      calls: { include: ["listFlights"] },
      text: "SK1921",
      state: [],
    },
    {
      input: "Change my flight to SK1921",
      calls: { include: [...toChange, changeTo("SK1921")] },
      state: ["A1 flies SK1921"],
    },
    {
      input: "I'd like to change to the flight a day earlier",
      user: ["Yes, SK1920 please"],
      calls: { include: [changeTo("SK1920")] },
      state: ["A1 flies SK1920"],
    },
    { input: "Change my flight to SK1922", agent: "Flight Change", text: /SK1922/, state: [] },
    { input: "Change my flight to SK2001", agent: "Flight Change", text: /SK2001/, state: [] },
    {
      input: "My bag T100 is lost",
      calls: { include: [search("T100")] },
      text: "Denver",
      state: ["T100 was searched for"],
    },
    {
      input: "My bag did not arrive",
      user: ["The tag says T100"],
      calls: { include: [search("T100")] },
      text: "Denver",
      state: ["T100 was searched for"],
    },
    {
      input: "Where is my suitcase? Its tag is T101",
      calls: { include: [search("T101"), "escalate"] },
      state: ["T101 was searched for", "A1 escalated"],
    },
    {
      name: "the bags of others stay hidden",
      input: "My bag T200 is lost",
      agent: "Lost Baggage",
      state: [],
    },
    {
      input: "My bag T100 is lost",
      name: "a bag, and then the case is closed",
      user: ["Thanks, that is all. Please close the case."],
      calls: { include: [search("T100"), "resolveCase"] },
      state: ["T100 was searched for", "A1 resolved"],
    },
    {
      name: "first a bag, then the flight",
      input: "Search for my bag, tag T100",
      user: ["And now cancel my flight, I want a refund"],
      calls: { include: [search("T100"), "refundFlight"] },
      state: [...cancelled, "A1 gets refund of 420", "T100 was searched for"],
    },
    // Customers whom a model plays until they have what they want.
    {
      name: "a customer who wants to leave a day earlier",
      user: {
        goal: "You want your flight changed to one on 20 May, whatever it is called. You will not cancel it.",
        persona: "You are James Howe, polite and in a hurry.",
      },
      calls: { include: [changeTo("SK1920")] },
      state: ["A1 flies SK1920"],
    },
    {
      name: "a customer who insists on money back for a basic fare",
      user: {
        goal: "You want your flight cancelled and the money back. Credits will do once you are told that there is no refund.",
        persona: "You are Ada Byron, and you insist once.",
      },
      context: bookingOfAda,
      calls: { include: ["creditFlight"] },
      state: ["B2 is cancelled", "B2 gets credits of 290"],
    },
  ],
});
