// What the tests use of Express, which has no types of its own.

declare module 'express' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

  namespace express {
    type Request = IncomingMessage & { body: unknown };
    type Response = ServerResponse & { json(body: unknown): void };
    type RequestHandler = (request: Request, response: Response, next: () => void) => unknown;
    interface Application extends RequestListener {
      use(handler: RequestHandler): void;
      post(path: string, handler: RequestHandler): void;
    }
    interface ParserOptions {
      type?: string;
      verify?(request: IncomingMessage, response: ServerResponse, bytes: Buffer): void;
    }
    function json(options?: ParserOptions): RequestHandler;
    function raw(options?: ParserOptions): RequestHandler;
    function text(options?: ParserOptions): RequestHandler;
  }
  function express(): express.Application;
  export default express;
}
