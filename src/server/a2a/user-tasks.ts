import type {
  AgentCard,
  CancelTaskRequest,
  GetTaskRequest,
  ListTasksRequest,
  ListTasksResponse,
  Message,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
} from "@a2a-js/sdk";
import type { A2ARequestHandler } from "@a2a-js/sdk/server";
import type { AnyAgent } from "../../agent/agent.ts";
import { InvalidInputError } from "../../errors.ts";
import { encodeEvents, separately } from "../../protocols/kit/source.ts";
import { resultOf } from "../../durable/run-info.ts";
import type { StoredRun } from "../../durable/stored-run.ts";
import type { Call } from "../call.ts";
import { clientWords } from "../../run/public/public-error.ts";
import { answer, deliveredBefore, nothingWaits, pass } from "../conversation.ts";
import type { Followed } from "../turn.ts";
import { assertSame, digestOf } from "../received.ts";
import { Refusal } from "../refusal.ts";
import type { UserRun } from "../user-runs.ts";
import { cardOf } from "./card.ts";
import { listTasks } from "./list-tasks.ts";
import { decisionsInWords, howToDecide, nameOfCall, readMessage } from "./messages.ts";
import type { Sdk } from "./sdk.ts";
import { isTerminal, type TaskName, taskOf, TaskUpdates } from "./tasks.ts";

/** How long a client waits for the end of a task that it cancels, in milliseconds. */
const longestCancel = 10_000;

/** A message for a task, as it was read. */
interface TaskMessage {
  readonly taskId: string;
  readonly contextId: string;
  readonly messageId: string;
  readonly read: ReturnType<typeof readMessage>;
}

/** The id of what a message begins or answers: the message is known by its own id, in its context. */
function idOf(contextId: string, messageId: string): Promise<string> {
  return digestOf([contextId, messageId]);
}

/** Whether a run that waits for a person has certainly not done so before. For an agent that is a run of its own it has paused before. */
function asksFirst({ data: { pausedAfter = 0, awaited, deadlines, receipts = [] } }: StoredRun): boolean {
  const pauses = awaited ? 2 : 1;
  return pausedAfter <= pauses && receipts.length === 0 && deadlines === undefined;
}

/** The tasks of a user with one agent: each is a run, its context the conversation. */
export class UserTasks implements A2ARequestHandler {
  readonly #sdk: Sdk;
  readonly #call: Call;
  readonly #name: string;
  readonly #agent: AnyAgent;
  /** Set where a client may try again later, or its user may not do this: no error of the protocol says so. */
  refusal: Refusal | undefined;

  /** @param name - What clients call the agent. */
  constructor(sdk: Sdk, call: Call, name: string, agent: AnyAgent) {
    this.#sdk = sdk;
    this.#call = call;
    this.#name = name;
    this.#agent = agent;
  }

  async getAgentCard(): Promise<AgentCard> {
    return cardOf(this.#call, this.#name, this.#agent);
  }

  sendMessage(request: SendMessageRequest): Promise<Message | Task> {
    return this.#attempt(async () => {
      const { run } = await this.#send(request);
      const { historyLength, returnImmediately = false } = request.configuration ?? {};
      if (!returnImmediately) await run.handle.result({ signal: this.#call.departure });
      return this.#task(run, historyLength);
    });
  }

  async *sendMessageStream(request: SendMessageRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const followed = await this.#attempt(() => this.#send(request));
    yield* this.#updates(followed, request.configuration?.historyLength);
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const followed = await this.#attempt(async () => {
      const { run, stored } = await this.#find(id);
      if (isTerminal(stored.status))
        throw new this.#sdk.errors.UnsupportedOperationError("The task has ended: nothing more comes of it.");
      return { run, after: await this.#call.runs.lastEvent(run) };
    });
    yield* this.#updates(followed, undefined);
  }

  getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#attempt(async () => {
      const { run } = await this.#find(id);
      return this.#task(run, historyLength);
    });
  }

  listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    return this.#attempt(() =>
      listTasks(this.#sdk, this.#call, this.#agent.name, request, (run, length) => this.#task(run, length)),
    );
  }

  cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return this.#attempt(async () => {
      const { run, stored } = await this.#find(id);
      const isCancelled = !isTerminal(stored.status) && (await run.handle.cancel());
      if (!isCancelled) throw new this.#sdk.errors.TaskNotCancelableError("The task has ended.");
      await run.handle.result({ until: "end", timeout: longestCancel });
      return this.#task(run, 0);
    });
  }

  getAuthenticatedExtendedAgentCard(): Promise<never> {
    return Promise.reject(
      new this.#sdk.errors.ExtendedAgentCardNotConfiguredError("There is one agent card for everybody."),
    );
  }

  createTaskPushNotificationConfig(): Promise<never> {
    return this.#noPush();
  }

  getTaskPushNotificationConfig(): Promise<never> {
    return this.#noPush();
  }

  listTaskPushNotificationConfigs(): Promise<never> {
    return this.#noPush();
  }

  deleteTaskPushNotificationConfig(): Promise<never> {
    return this.#noPush();
  }

  #noPush(): Promise<never> {
    return Promise.reject(
      new this.#sdk.errors.PushNotificationNotSupportedError(
        "Subscribe to the task instead: SubscribeToTask.",
      ),
    );
  }

  /** Starts a task, or passes a message on to one. */
  async #send({ message }: SendMessageRequest): Promise<Followed> {
    const { taskId = "", contextId = "", messageId = "" } = message ?? {};
    const read = readMessage(this.#sdk, message);
    if (taskId !== "") return this.#continue({ taskId, contextId, messageId, read });
    // The same message once more is the same task, in the same context.
    const id = messageId === "" ? undefined : await idOf(contextId, messageId);
    const session = contextId === "" ? (id ?? crypto.randomUUID()) : contextId;
    return this.#call.send({
      agent: this.#agent.name,
      session,
      contents: read,
      input: [read.message],
      ...(id !== undefined && { id }),
    });
  }

  async #continue({ taskId, contextId, messageId, read }: TaskMessage): Promise<Followed> {
    const { UnsupportedOperationError, RequestMalformedError } = this.#sdk.errors;
    const { runs } = this.#call;
    const { run, stored } = await this.#find(taskId);
    const name = this.#nameOf(run, stored);
    if (contextId !== "" && contextId !== name.contextId)
      throw new RequestMalformedError("contextId is not that of the task.");
    // Without it, a message that is sent again would be another one, such as the approval of another call.
    if (messageId === "") throw new RequestMalformedError("message.messageId must not be empty.");
    const beside = { id: await idOf(name.contextId, messageId), contents: await digestOf(read) };
    // The message that has begun the task.
    if ([beside.id, await idOf("", messageId)].includes(taskId)) {
      assertSame(stored.data.request.metadata?.["contents"], beside.contents);
      return { run, after: -1, isContinued: false, pending: [] };
    }
    const earlier = await deliveredBefore(runs, run, beside);
    if (earlier) return earlier;
    if (isTerminal(stored.status))
      throw new UnsupportedOperationError(
        "The task has ended. Send the message without taskId, in the same context.",
      );
    const { pending } = await run.state();
    const isPaused = stored.status === "paused" && pending.length > 0;
    const words = isPaused ? decisionsInWords(read.message, pending, asksFirst(stored)) : [];
    const decisions = [...read.decisions, ...words];
    const answered = await answer(runs, run, { decisions, results: read.results }, beside);
    if (answered) return answered;
    if (decisions.length + read.results.length > 0) throw nothingWaits();
    if (!isPaused) {
      const messages = [{ when: "steer", message: read.message }] as const;
      return pass(runs, run, { ...beside, messages });
    }
    // Another process may have taken it meanwhile.
    const meanwhile = await deliveredBefore(runs, run, beside);
    if (meanwhile) return meanwhile;
    throw new RequestMalformedError(
      `The task waits for decisions on ${pending.map(nameOfCall).join(", ")}. ${howToDecide}`,
    );
  }

  async *#updates(
    { run, after }: Pick<Followed, "run" | "after">,
    historyLength: number | undefined,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    const task = await this.#attempt(() => this.#task(run, historyLength));
    yield { payload: { $case: "task", value: task } };
    const { events, onCancel } = this.#call.follow({ run, after });
    try {
      yield* separately(encodeEvents(events, new TaskUpdates(this.#sdk, task)));
    } finally {
      onCancel();
    }
  }

  async #task(run: UserRun, historyLength: number | undefined): Promise<Task> {
    const { stored } = await this.#find(run.id);
    const { messages, pending } = await run.state();
    const task = taskOf(this.#sdk, this.#nameOf(run, stored), { ...resultOf(stored), pending }, messages);
    if (historyLength === undefined) return task;
    return { ...task, history: historyLength === 0 ? [] : task.history.slice(-historyLength) };
  }

  #nameOf(run: UserRun, stored: StoredRun): TaskName {
    return { taskId: run.id, contextId: this.#call.runs.sessionOf(stored) ?? run.id };
  }

  /** @throws what the protocol has a word for: the SDK passes the message of any other error on. */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const { A2AError, RequestMalformedError } = this.#sdk.errors;
      if (error instanceof A2AError) throw error;
      if (error instanceof Refusal && (error.status === 403 || error.headers["retry-after"] !== undefined)) {
        this.refusal = error;
        throw error;
      }
      if (error instanceof InvalidInputError || (error instanceof Refusal && error.status < 500))
        throw new RequestMalformedError(clientWords(error.message));
      this.#call.server.report(error, { request: this.#call.request.toRequest() });
      throw new Error("The request failed.", { cause: error });
    }
  }

  async #find(id: string): Promise<{ readonly run: UserRun; readonly stored: StoredRun }> {
    const { RequestMalformedError, TaskNotFoundError } = this.#sdk.errors;
    if (id.trim() === "") throw new RequestMalformedError("The id of the task is missing.");
    try {
      const match = await this.#call.run(id);
      if (match.stored.agent === this.#agent.name) return match;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
    throw new TaskNotFoundError(`The task "${id.slice(0, 100)}" was not found.`);
  }
}
