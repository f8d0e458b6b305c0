import { Agent, type Instructions, type ToolContext, triage } from "skein";
import { Airline } from "./airline.ts";
import { baggagePolicy, cancelPolicy, changePolicy, starter } from "./policies.ts";

/** Who talks: tools work on this booking and on no other, whatever a model says. */
export interface Caller {
  /** James Howe's, `A1`, by default. */
  readonly booking?: string;
}

/** The service desk of an airline: triage, changes and cancellations of flights, lost baggage. */
export function serviceDesk(airline: Airline): Agent<Caller> {
  /**
   * Cancel the flight and pay the money back.
   * @param reason - Why the customer cancels
   */
  function refundFlight({ context }: ToolContext<Caller>, reason = "not specified") {
    const amount = airline.cancel(bookingOf(context), "refund");
    return `The flight is cancelled, and ${amount} dollars are paid back. Reason: ${reason}.`;
  }

  /**
   * Cancel the flight and give flight credits for the next one.
   * @param reason - Why the customer cancels
   */
  function creditFlight({ context }: ToolContext<Caller>, reason = "not specified") {
    const amount = airline.cancel(bookingOf(context), "credits");
    return `The flight is cancelled, and there are ${amount} dollars of flight credits. Reason: ${reason}.`;
  }

  /** Find out whether the fare allows a change. */
  function canChange({ context }: ToolContext<Caller>) {
    const { fare } = airline.booking(bookingOf(context));
    return fare === "flexible"
      ? "The fare is flexible: a change is free."
      : "A basic fare cannot be changed.";
  }

  /** List the flights that the customer can change to. */
  function listFlights({ context }: ToolContext<Caller>) {
    return airline.alternatives(bookingOf(context));
  }

  /**
   * Change the flight to another one on the same route.
   * @param flightId - Number of the new flight @pattern ^SK\d{4}$
   */
  function changeFlight(flightId: string, { context }: ToolContext<Caller>) {
    const { departs } = airline.change(bookingOf(context), flightId);
    return `The flight is changed to ${flightId}, which departs at ${departs}.`;
  }

  /**
   * Search for a lost bag or suitcase.
   * @param tag - Number on the tag of the bag @pattern ^T\d{3}$
   */
  function searchBaggage(tag: string, { context }: ToolContext<Caller>) {
    const place = airline.searchBag(bookingOf(context), tag);
    return place === undefined ? `The bag ${tag} was not found.` : `The bag ${tag} was found in ${place}.`;
  }

  /**
   * Leave the case to a person: a supervisor calls the customer.
   * @param reason - What the supervisor has to know
   */
  function escalate(reason: string, { context }: ToolContext<Caller>) {
    airline.closeCase(bookingOf(context), "escalated", reason);
    return "A supervisor will call.";
  }

  /** Close the case, once the customer needs nothing else. */
  function resolveCase({ context }: ToolContext<Caller>) {
    airline.closeCase(bookingOf(context), "resolved", "");
    return "The case is closed.";
  }

  /** A policy, and whom it is about. */
  const routine =
    (policy: string): Instructions<Caller> =>
    ({ context }) =>
      `${starter}\n\n${policy}\n\n# Context\n${JSON.stringify(airline.booking(bookingOf(context)))}`;

  const cancel = new Agent<Caller>({
    name: "Flight Cancel",
    description: "Cancels a flight: refunds and flight credits.",
    instructions: routine(cancelPolicy),
    tools: [refundFlight, creditFlight, escalate, resolveCase],
  });
  const change = new Agent<Caller>({
    name: "Flight Change",
    description: "Changes a flight to another day or time.",
    instructions: routine(changePolicy),
    tools: [canChange, listFlights, changeFlight, escalate, resolveCase],
  });
  const modification = triage<Caller>([cancel, change], {
    name: "Flight Modification",
    description: "Cancels and changes flights.",
    instructions: routine(
      "Find out whether the customer wants to cancel or to change the flight, and transfer.",
    ),
    parallelToolCalls: false,
  });
  const baggage = new Agent<Caller>({
    name: "Lost Baggage",
    description: "Searches for bags, suitcases and luggage that are lost or did not arrive.",
    instructions: routine(baggagePolicy),
    tools: [searchBaggage, escalate, resolveCase],
  });
  return triage<Caller>([modification, baggage], {
    instructions: routine(
      "Find out what the customer needs, and transfer to the agent for it. Ask if in doubt.",
    ),
  });
}

function bookingOf({ booking = "A1" }: Caller): string {
  return booking;
}

/** On the database of the file `AIRLINE_DATABASE`, or on a temporary one. */
export const agent: Agent<Caller> = serviceDesk(new Airline(process.env["AIRLINE_DATABASE"]));
