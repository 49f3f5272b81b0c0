import { ErrorAnswer } from './error-answer.ts';

/** @throws ErrorAnswer where it is given more than once: which one is meant nobody knows */
export function onlyParameter(url: URL, name: string): string | undefined {
  const values = url.searchParams.getAll(name);
  if (values.length > 1) throw new ErrorAnswer(400, `${name} is given more than once`);
  return values[0];
}
