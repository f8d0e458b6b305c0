import { InvalidInputError } from "../../errors.ts";
import type { RunState } from "../../message/run-state.ts";
import { canonicalJson } from "../../base/util/canonical-json.ts";
import { digest, sameDigest } from "../../base/util/digest.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";

/** A state as JSON carries it, and its signature. */
export async function signed(run: ActiveRun, state: RunState, secret: string): Promise<RunState> {
  try {
    const plain: RunState = JSON.parse(JSON.stringify(state));
    return { ...plain, signature: await signatureOf(plain, secret) };
  } catch (error) {
    // The run is done: what it did must not be lost with its state.
    warn(run, `The state is not signed, since it cannot be written as JSON: ${safeMessage(error)}`);
    return state;
  }
}

/**
 * Makes sure that the state which a run resumes is as it was given out. What comes from a session is the application's own, and what
 * comes from the run around this one is signed with that.
 * @throws InvalidInputError for one that was changed.
 */
export async function assertResumed({ config }: ActiveRun): Promise<void> {
  const { resumed, record, parent, options } = config;
  if (resumed && !record && !parent) await assertSignature(resumed, options.stateSecret);
}

/** @throws InvalidInputError unless the state was signed with the secret, and not changed since. */
async function assertSignature(state: RunState, secret: string | undefined): Promise<void> {
  const { signature, ...rest } = state;
  if (secret === undefined) {
    if (signature === undefined) return;
    throw new InvalidInputError("The state is signed: give the stateSecret that it was signed with.");
  }
  if (typeof signature !== "string") {
    throw new InvalidInputError("The state has no signature, but options.stateSecret asks for one.");
  }
  const expected = await expectedSignature(rest, secret);
  if (expected !== undefined && sameDigest(expected, signature)) return;
  throw new InvalidInputError(
    "The state was changed, or signed with another stateSecret: give result.state as it was.",
  );
}

/** `undefined` for a state that cannot be written: it was never signed. */
async function expectedSignature(state: RunState, secret: string): Promise<string | undefined> {
  try {
    return await signatureOf(state, secret);
  } catch {
    return undefined;
  }
}

function signatureOf(state: RunState, secret: string): Promise<string> {
  return digest(`state:${canonicalJson(state)}`, secret);
}
