import { uniqueKeys } from "./unique-keys.ts";
import { render, type VNode } from "preact";
import { useEffect } from "preact/hooks";
import { Agents } from "./agents.tsx";
import { Approvals } from "./approvals.tsx";
import { Call } from "./call.tsx";
import { ChatPage } from "./chat.tsx";
import { Compare } from "./compare.tsx";
import { EvalCase } from "./eval-case.tsx";
import { Evals } from "./evals.tsx";
import { clock } from "./format.ts";
import { Mark } from "./icons.tsx";
import { currentKeys, Kbd, modifier } from "./keys.tsx";
import { AllKeys, dialog, Palette, useGlobalKeys } from "./palette.tsx";
import { Replay } from "./replay.tsx";
import { Run } from "./run.tsx";
import { Runs } from "./runs.tsx";
import { announcement, approvals, connection, follow, href, info, route, switchTheme } from "./state.ts";
import { Text } from "./text.tsx";
import { Wire } from "./wire.tsx";

/** Where the page is: without agents there is no chat, but there are runs to look at. */
function currentPage(): string {
  const [place = "chat"] = route.value;
  return place === "chat" && info.value?.agents.length === 0 ? "runs" : place;
}

function Page(): VNode {
  const [, id, part, number] = route.value;
  const page = currentPage();
  if (page === "runs" && id !== undefined) {
    if (part === "wire")
      return <Wire key={id} id={id} number={number === undefined ? undefined : Number(number)} />;
    if (part === "call") return <Call key={`${id} ${number}`} id={id} step={Number(number)} />;
    if (part === "replay") return <Replay key={`${id} ${number}`} id={id} step={Number(number)} />;
    return <Run key={id} id={id} />;
  }
  if (page === "runs") return <Runs />;
  if (page === "compare") return <Compare ids={[id, part]} />;
  if (page === "approvals") return <Approvals id={id} />;
  if (page === "agents") return <Agents name={id} />;
  if (page === "evals")
    return id === undefined || part === undefined ? (
      <Evals />
    ) : (
      <EvalCase key={`${id} ${part}`} index={Number(id)} name={part} />
    );
  return <ChatPage session={id} agent={part} />;
}

const pages = [
  ["chat", "Chat"],
  ["runs", "Runs"],
  ["approvals", "Approvals"],
  ["agents", "Agents"],
  ["evals", "Evals"],
] as const;

function TopBar(): VNode {
  const page = currentPage();
  // What is compared are runs.
  const current = page === "compare" ? "runs" : page;
  const hasChat = info.value?.agents.length !== 0;
  const { file, loadedAt } = info.value ?? {};
  const count = approvals.value.length;
  return (
    <header class="top">
      <a class="brand" href={href("chat")}>
        <Mark />
        <span>
          Skein<span class="sr"> studio</span>
        </span>
      </a>
      <nav class="nav" aria-label="Pages">
        {pages.slice(hasChat ? 0 : 1).map(([name, label]) => (
          <a key={name} href={href(name)} {...(current === name && { "aria-current": "page" })}>
            {label}
            {name === "approvals" && count > 0 && (
              <span class="pip" aria-label={`${count} waiting`}>
                {count}
              </span>
            )}
          </a>
        ))}
      </nav>
      <span class="grow" />
      {file !== undefined && loadedAt !== undefined && (
        <span class="file">
          <i class="live" />
          <span class="m">{file}</span>
          <span class="dim3">loaded {clock(loadedAt).slice(0, 5)}</span>
        </span>
      )}
      <button class="btn find" type="button" onClick={() => (dialog.value = "palette")}>
        Find or do{" "}
        <span>
          <Kbd of={modifier} /> <Kbd of="K" />
        </span>
      </button>
      <button class="btn q" type="button" aria-label="Dark or light" onClick={switchTheme}>
        <svg class="ic" viewBox="0 0 12 12" aria-hidden="true">
          <circle cx="6" cy="6" r="4.5" />
          <path d="M6 1.5a4.5 4.5 0 0 1 0 9z" fill="currentColor" />
        </svg>
      </button>
    </header>
  );
}

function Notices(): VNode | null {
  const { problem, file } = info.value ?? {};
  if (connection.value === "refused")
    return (
      <div class="note b top-note" role="alert">
        <p>
          <b>This page has no token.</b> Open the address that <code>skein studio</code> has printed, with all
          that is behind <code>#</code>.
        </p>
      </div>
    );
  if (connection.value === "lost")
    return (
      <div class="note b top-note" role="alert">
        <p>
          <b>The studio does not answer.</b> What is here stays; nothing new comes in. It is tried again every
          few seconds.
        </p>
      </div>
    );
  if (problem === undefined) return null;
  return (
    <div class="note b top-note" role="alert">
      <p>
        <b>{file} was not loaded again.</b> The agents before go on. <Text of={problem} />
      </p>
    </div>
  );
}

function KeyBar(): VNode {
  const keys = currentKeys().filter(({ show }) => show !== undefined);
  return (
    <footer class="keys" aria-label="Keys">
      {uniqueKeys(keys).map(({ label, show = [] }) => (
        <span key={label}>
          {show.map((key) => (
            <Kbd key={key} of={key} />
          ))}{" "}
          {label}
        </span>
      ))}
      <span class="st dim3">{info.value?.address}, nothing leaves this machine but requests to models</span>
    </footer>
  );
}

function GlobalKeys(): null {
  useGlobalKeys();
  return null;
}

function Studio(): VNode {
  useEffect(() => {
    const name = pages.find(([page]) => page === currentPage())?.[1] ?? "Runs";
    document.title = `${name} · Skein studio`;
  }, [currentPage()]);
  return (
    <>
      <TopBar />
      <div class="body">
        <Notices />
        <Page />
      </div>
      <KeyBar />
      <Palette />
      <AllKeys />
      <GlobalKeys />
      <div class="sr" role="status" aria-live="polite">
        {announcement.value}
      </div>
    </>
  );
}

render(<Studio />, document.body);
void follow();
