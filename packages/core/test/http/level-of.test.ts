import { expect, it } from 'vitest';
import { HOST, Rig, USERS } from './http-rig.ts';

it('a key is that of a host or of an endpoint', () => {
  const rig = new Rig();
  rig.respond(200);
  expect(rig.http.levelOf(HOST)).toBe('host');
  expect(rig.http.levelOf(USERS)).toBe('endpoint');
});

it('a key of which there is no breaker is of no level', () => {
  const rig = new Rig();
  expect(rig.http.levelOf(HOST)).toBeUndefined();
  expect(rig.http.levelOf('anything')).toBeUndefined();
});

it("a key that the caller's own function made is of no level", () => {
  const rig = new Rig({ key: () => 'prices' });
  rig.respond(200);
  expect(rig.keys).toEqual(['prices']);
  expect(rig.http.levelOf('prices')).toBeUndefined();
});

it('a level ends with its breaker', () => {
  const rig = new Rig({ maxBreakers: 2 });
  rig.respond(200);
  rig.respond(200, { origin: 'https://other.example.com' });
  expect(rig.http.find(USERS)).toBeUndefined();
  expect(rig.http.levelOf(USERS)).toBeUndefined();
});
