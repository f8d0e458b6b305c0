/** The desk without a framework, over `skein/client`. */
import { connect, type RemoteRun, SkeinClientError } from "skein/client";
import { chatIdOfPage } from "./chat-id.ts";
import { button, node } from "./dom.ts";
import { View } from "./view.ts";

const client = connect(location.origin);
const session = chatIdOfPage();

const list = node("ol", "");
const scroll = node("div", "scroll");
scroll.append(list);
const problem = node("p", "error");
problem.setAttribute("role", "alert");
const form = document.createElement("form");
const input = document.createElement("input");
input.setAttribute("aria-label", "Message");
const send = document.createElement("button");
send.textContent = "Send";
const stop = button("Stop", () => void attempt(async () => current?.cancel("The user has stopped it.")));
form.append(input, send, stop);
document.querySelector("#page")?.append(scroll, problem, form);

/** The run that the page follows, or that waits for a decision. */
let current: RemoteRun | undefined;
let isWorking = false;

const view = new View(list, (approvalId, decision, edited) => {
  void attempt(async () => {
    const next = await current?.decide([{ approvalId, decision, ...(edited && { arguments: edited }) }]);
    if (next) await follow(next);
  });
});

/** Shows what the server has: when the page is loaded, and where another tab may have gone on. */
async function open(): Promise<void> {
  const { messages, run } = await client.session(session);
  // A message was sent meanwhile: its run is on the page.
  if (isWorking) return;
  const hasEnded = !run || ["completed", "failed", "cancelled"].includes(run.status);
  const lastQuestion = messages.findLastIndex(({ role }) => role === "user");
  view.clear();
  // All that comes behind the question is in the events of its run.
  for (const message of hasEnded ? messages : messages.slice(0, lastQuestion + 1)) view.message(message);
  if (run && !hasEnded) await follow(client.follow(run.id));
}

async function follow(run: RemoteRun): Promise<void> {
  current = run;
  showWork(true);
  try {
    for await (const event of run) view.event(event);
  } finally {
    if (current === run) showWork(false);
  }
}

async function ask(text: string): Promise<void> {
  view.user(text);
  input.value = "";
  try {
    await follow(client.stream("desk", text, { session }));
  } catch (error) {
    if (!(error instanceof SkeinClientError) || error.code !== "conversation-busy") throw error;
    // Another tab was first: its question is answered, and this one can be sent again behind it.
    input.value = text;
    showProblem(error.message);
    await open();
  }
}

async function attempt(action: () => Promise<void>): Promise<void> {
  showProblem("");
  try {
    await action();
  } catch (error) {
    showProblem(error instanceof Error ? error.message : String(error));
  }
}

function showWork(works: boolean): void {
  isWorking = works;
  send.hidden = works;
  stop.hidden = !works;
}

function showProblem(why: string): void {
  problem.hidden = why === "";
  problem.textContent = why;
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = input.value.trim();
  if (text !== "" && !isWorking) void attempt(() => ask(text));
});
addEventListener("focus", () => void (!isWorking && problem.hidden && attempt(open)));

showWork(false);
await attempt(open);
input.focus();
