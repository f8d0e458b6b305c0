import type { Comparison } from "../../evals/compare-results.ts";
import type { CaseResult, EvalResult, RunRecord } from "../../evals/results.ts";
import { type Content, html, Html } from "./html.ts";
import { reportStyle } from "./report-style.ts";
import { type Compared, duration, money, percent } from "./report.ts";
import { data, transcript } from "./report-transcript.ts";

/**
 * A page of its own, which loads nothing and runs nothing: figures, cases, transcripts with tool calls, and what differs from
 * the baseline. Whatever a model wrote is escaped.
 */
export function reportPage(compared: readonly Compared[]): string {
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
        <title>Evaluations</title>
        <style>
          ${new Html(reportStyle)}
        </style>
      </head>
      <body>
        <h1>Evaluations</h1>
        ${overview(compared)}
        <p>
          <label><input type="checkbox" id="only-failed" /> failed cases only</label>
        </p>
        ${compared.map(section)}
      </body>
    </html> `;
  return page.text;
}

function overview(compared: readonly Compared[]): Content {
  return html`<table>
    <tr>
      <th>evaluation
      <th>model
      <th>passed
      <th>rate
      <th>95%
      <th>pass^k
      <th>median
      <th>tokens
      <th>cost
    </tr>
    ${compared.map(({ result: { name, model = "", summary, startedAt } }, index) => {
      const { passed, runs, passRate, interval, passHat, latency, usage, cost } = summary;
      return html`<tr>
        <td><a href="#r${index}" title="${startedAt}">${name}</a>
        <td>${model}
        <td>${passed}/${runs}
        <td>${bar(passRate)}
        <td>${interval.map(percent).join("–")}
        <td>${passHat.map(percent).join(" ")}
        <td>${latency ? duration(latency.median) : ""}
        <td>${usage.totalTokens ?? ""}
        <td>${money(cost)}
      </tr> `;
    })}
  </table>`;
}

function bar(share: number): Content {
  return html`<span class="bar"><span style="width:${Math.round(share * 100)}%"></span></span>
    ${percent(share)}`;
}

function section({ result, comparison }: Compared, index: number): Content {
  const scorers = Object.entries(result.summary.scorers);
  return html`<section>
    <h2 id="r${index}">
      ${result.name} <small>${result.model ?? ""}${result.aborted ? " (aborted)" : ""}</small>
    </h2>
    <table>
      <tr>
        <th>scorer
        <th>passed
        <th>mean
      </tr>
      ${scorers.map(
        ([name, { scored, passed, mean }]) =>
          html`<tr>
            <td>${name}
            <td>${passed}/${scored}
            <td>${bar(mean)}
          </tr> `,
      )}
    </table>
    ${comparison ? differences(comparison) : ""}
    ${result.cases.map((each) => caseOf(each, result, comparison))}
  </section> `;
}

function differences({ model, passRate, changed, added, removed }: Comparison): Content {
  const names = (title: string, list: readonly string[]): Content =>
    list.length === 0 ? "" : html`<p>${title}: ${list.join(", ")}</p>`;
  return html`<h3>
      Since the baseline ${model === undefined ? "" : `(${model})`}: ${percent(passRate.before)} →
      ${percent(passRate.after)}
    </h3>
    <ul>
      ${changed.map(
        ({ name, before, after, isRegression }) =>
          html`<li class="${after < before ? "worse" : "better"}">
            ${percent(before)} → ${percent(after)} ${name} ${isRegression ? "(regression)" : ""}
          </li> `,
      )}
    </ul>
    ${names("New", added)}${names("Gone", removed)}`;
}

function caseOf(each: CaseResult, { runs }: EvalResult, comparison: Comparison | undefined): Content {
  const change = comparison?.changed.find(({ name }) => name === each.name);
  const note = change ? html` <small>was ${percent(change.before)}</small>` : "";
  return html`<details class="case ${each.passRate === 1 ? "pass" : "fail"}">
    <summary>
      ${each.passRate === 1 ? "✓" : "✗"} ${each.name}
      ${runs > 1 ? `(${each.passed}/${each.runs.length})` : ""}${note}
    </summary>
    ${each.tags ? html`<p><small>${each.tags.join(", ")}</small></p>` : ""}
    ${each.runs.map((run) => runOf(run, runs))}
  </details> `;
}

function runOf(run: RunRecord, runs: number): Content {
  const facts = [
    run.status ?? "error",
    `${run.turns} ${run.turns === 1 ? "turn" : "turns"}`,
    duration(run.durationMs),
    ...(run.usage.totalTokens === undefined ? [] : [`${run.usage.totalTokens} tokens`]),
    ...(run.cost ? [money(run.cost)] : []),
    ...(run.goal === undefined ? [] : [`goal ${run.goal}`]),
  ];
  return html`<div class="run">
    <p>
      ${runs > 1 ? html`<b>run ${run.run + 1}</b> ${run.pass ? "✓" : "✗"} ` : ""}<small
        >${facts.join(" · ")}</small
      >
    </p>
    ${run.error ? html`<p class="worse">${run.error.code ?? "error"}: ${run.error.message}</p>` : ""}
    <ul>
      ${run.scores.map(
        ({ scorer, score, pass, reason }) =>
          html`<li class="${pass ? "better" : "worse"}">${scorer} ${score} ${reason ?? ""}</li> `,
      )}
    </ul>
    ${transcript(run.messages)} ${run.output === undefined ? "" : data("output", run.output)}
    ${run.state ? html`${data("state before", run.state.before)}${data("state after", run.state.after)}` : ""}
  </div> `;
}
