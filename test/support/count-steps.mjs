import { Session } from 'node:inspector/promises';

// Counts for `stepsOf`: node count-steps.mjs <module> <inputs as JSON>
const [, , file = '', inputs = ''] = process.argv;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
// Before the module is loaded: what is compiled earlier is not counted.
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
const { work } = await import(file);
const take = async () => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const functions = result
    .filter(({ url }) => url.endsWith(file))
    .flatMap((script) => script.functions);
  return functions.flatMap(({ ranges }) => ranges).reduce((sum, { count }) => sum + count, 0);
};
await take();
const steps = [];
for (const input of JSON.parse(inputs)) {
  work(input);
  steps.push(await take());
}
console.log(JSON.stringify(steps));
