import { isLegacy, type AnyHandler, type Handler } from './dispatch.ts';

/** A handler of either kind, for an answer that comes from no dispatcher. */
export function upward(handler: AnyHandler): Handler {
  if (!isLegacy(handler)) return handler;
  return {
    onRequestStart: (controller, context) =>
      handler.onConnect?.((reason) => controller.abort(reason), context),
    onResponseStart(controller, status, _headers, message = '') {
      const resume = (): void => controller.resume();
      const flows = handler.onHeaders?.(status, controller.rawHeaders ?? [], resume, message);
      if (flows === false) controller.pause();
    },
    onResponseData(controller, chunk) {
      if (handler.onData?.(chunk) === false) controller.pause();
    },
    onResponseEnd: () => handler.onComplete?.([]),
    onResponseError: (_controller, error) => handler.onError?.(error),
  };
}
