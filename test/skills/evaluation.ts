/**
 * Twenty skills, and forty requests that each need one of them: `npx skein eval test/skills/evaluation.ts --model anthropic:...`.
 * No request says the name of its skill.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent } from "skein";
import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { skills } from "skein/skills";
import { ScriptedModel } from "skein/testing";

/** Skills by their names: what they are for, and two requests that need them. */
const table: Readonly<Record<string, readonly [description: string, first: string, second: string]>> = {
  "pdf-forms": [
    "Fills in, merges and splits PDF documents. Use it for forms to fill in and for scanned pages.",
    "Fill in the form that I scanned",
    "Merge these two PDF documents",
  ],
  spreadsheets: [
    "Reads and writes Excel workbooks: formulas, pivot tables, charts. Use it for .xlsx and .csv files.",
    "Add a pivot table to budget.xlsx",
    "Which formulas in this workbook are broken?",
  ],
  slides: [
    "Makes presentations: outlines, speaker notes, .pptx decks. Use it when a talk or a deck is due.",
    "I give a talk on Monday and need a deck",
    "Write speaker notes for my presentation",
  ],
  invoices: [
    "Checks invoices of suppliers: VAT, totals, due dates. Use it when a bill or a payment is mentioned.",
    "Is the VAT on this bill right?",
    "Which payment is due next week?",
  ],
  trips: [
    "Plans business trips: trains, flights, hotels, expenses on the way.",
    "Find me a hotel and a train to Lyon",
    "What may I claim as expenses of the flight?",
  ],
  "sql-queries": [
    "Writes and explains SQL for PostgreSQL: joins, indexes, slow queries, migrations of the database.",
    "Why is this query so slow without an index?",
    "Write a join over customers and orders in PostgreSQL",
  ],
  "code-review": [
    "Reviews changes of code before they are merged: bugs, style, missing tests. Use it for diffs and pull requests.",
    "Have a look at my pull request",
    "Does this diff have bugs or missing tests?",
  ],
  "release-notes": [
    "Writes the changelog and the announcement of a release from commits.",
    "Turn these commits into a changelog",
    "Draft the announcement for version 2.0",
  ],
  "incident-report": [
    "Writes up outages: timeline, root cause, follow-ups. Use it after an incident in production.",
    "Production was down for an hour: write up the timeline",
    "Document the root cause of the outage",
  ],
  translation: [
    "Translates texts between German, French and English, with a glossary of the company's terms.",
    "How do I say this in French?",
    "Bring the German text into English",
  ],
  "brand-voice": [
    "Edits marketing texts until they sound like the company: tone, forbidden words, logo, colours.",
    "Does this marketing text have our tone?",
    "Which colours go with the logo?",
  ],
  recruiting: [
    "Writes job postings, screens applications and prepares interviews with candidates.",
    "Write a posting for a job as a gardener",
    "Prepare my interviews with the candidates",
  ],
  "legal-clauses": [
    "Compares contracts with the standard clauses: liability, termination, confidentiality.",
    "Does the contract limit our liability?",
    "Check the termination clause",
  ],
  surveys: [
    "Designs questionnaires and evaluates answers: scales, samples, significance.",
    "Design a questionnaire on the canteen",
    "Are the answers of this sample significant?",
  ],
  maps: [
    "Draws maps from coordinates and addresses: routes, regions, GeoJSON.",
    "Show these addresses and the routes between them",
    "Convert the coordinates to GeoJSON",
  ],
  audio: [
    "Transcribes recordings, cuts podcasts, removes noise from sound files.",
    "Transcribe the recordings of the meeting",
    "There is noise in my podcast",
  ],
  images: [
    "Resizes, crops and compresses photos and pictures; removes backgrounds.",
    "Crop the photos to squares",
    "Remove the backgrounds of these pictures",
  ],
  accessibility: [
    "Audits web pages for people with disabilities: contrast, keyboard, screen readers, WCAG.",
    "Can our page be used with a keyboard and screen readers?",
    "Is the contrast good enough for WCAG?",
  ],
  onboarding: [
    "Prepares the first weeks of new colleagues: accounts, laptop, mentors, checklist.",
    "A new colleague starts in May: what is on the checklist?",
    "Order a laptop and accounts for Ada",
  ],
  "meeting-minutes": [
    "Turns notes of meetings into minutes: decisions, owners, deadlines.",
    "Put my notes into minutes",
    "Which decisions and owners came out of the meetings?",
  ],
};

function writeSkills(): string {
  const folder = mkdtempSync(join(tmpdir(), "skein-twenty-"));
  for (const [name, [description]] of Object.entries(table)) {
    mkdirSync(join(folder, name));
    const text = `---\nname: ${name}\ndescription: >\n  ${description}\n---\n\nAnswer "${name} it is."\n`;
    writeFileSync(join(folder, name, "SKILL.md"), text);
  }
  return folder;
}

/** The folder of the skills: whoever loads this file removes it. */
export const folder: string = writeSkills();

export const evaluation: Evaluation = defineEval({
  name: "the right one of twenty skills",
  agent: new Agent({
    name: "Assistant",
    instructions: "You help in an office.",
    tools: [skills(folder)],
  }),
  cases: Object.entries(table).flatMap(([name, [, ...requests]]) =>
    requests.map((input): EvalCase => ({
      name: `${name}: ${input}`,
      input,
      calls: [{ tool: "load_skill", arguments: { name } }],
      perfect: () =>
        new ScriptedModel([{ toolCalls: [{ toolName: "load_skill", arguments: { name } }] }, "Done."]),
    })),
  ),
});
