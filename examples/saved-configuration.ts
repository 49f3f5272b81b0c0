// A configuration that is kept as JSON. What is wrong with it is said when the breaker is made, and
// not when the outage comes.

import { HttpCircuitBreaker, type HttpCircuitBreakerOptions } from '@recloser/core';

// $schema is for the editor, which then completes the names and marks those that are wrong.
const saved = `{
  "$schema": "./node_modules/@recloser/core/configuration.schema.json",
  "breaker": { "slowCallDurationThreshold": 2000 },
  "configs": {
    "patient": { "slowCallDurationThreshold": 60000, "minimumNumberOfCalls": 10 }
  },
  "overrides": [{ "name": "reports", "path": "/reports/*", "base": "patient" }],
  "rules": [{ "name": "no such book", "path": "/books/:id", "status": 404, "outcome": "ignore" }]
}`;

function load(json: string): HttpCircuitBreaker {
  const options: HttpCircuitBreakerOptions = JSON.parse(json);
  return new HttpCircuitBreaker(options);
}

const breaker = load(saved);
breaker.admit({ method: 'GET', url: 'https://api.example.com/books/42' }).responded(404);
breaker.admit({ method: 'GET', url: 'https://api.example.com/reports/2026' }).responded(200);
console.log('The configuration is good. Its breakers:');
for (const { name, numberOfBufferedCalls } of breaker.snapshot().breakers) {
  console.log(`  ${name}: ${numberOfBufferedCalls} counted`);
}

console.log('\nThese are not:');
const mistakes = [
  ['"minimumNumberOfCalls"', '"minimumNumberOfCall"'],
  ['"overrides"', '"override"'],
  ['"base": "patient"', '"base": "patent"'],
  ['"status": 404', '"satus": 404'],
  ['"outcome": "ignore"', '"outcome": "ignored"'],
  ['2000', '"2 s"'],
  ['2000', '-1'],
  ['"breaker": { "slowCallDurationThreshold": 2000 }', '"slowCallDurationThreshold": 2000'],
  ['"breaker": {', '"breaker": { "timeout": 1000,'],
] as const;
for (const [right, wrong] of mistakes) {
  try {
    load(saved.replace(right, wrong));
    console.log(`  ${wrong}: taken`);
  } catch (error) {
    console.log(' ', String(error));
  }
}
