/** `npm run types`: checks every project of the repository one by one, and prints all errors. */
import { checkTypes } from "./check-types.ts";

const outcomes = await checkTypes();
const faulty = outcomes.filter((outcome) => !outcome.isGood);
for (const { project, output } of faulty) {
  process.stdout.write(`${project}\n${output}\n`);
}
process.stdout.write(`${outcomes.length} projects checked, ${faulty.length} with faults\n`);
process.exitCode = faulty.length > 0 ? 1 : 0;
