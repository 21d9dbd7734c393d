import { createServer, request as httpRequest } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A proxy that writes down whom it was asked for. */
export async function startProxy(
  status = 200,
): Promise<{ url: string; asked: string[]; credentials: unknown[] }> {
  const asked: string[] = [];
  const credentials: unknown[] = [];
  const proxy = createServer((incoming, response) => {
    asked.push(incoming.url ?? '');
    credentials.push(incoming.headers['proxy-authorization']);
    if (status !== 200) return response.writeHead(status).end();
    const url = new URL(incoming.url ?? '');
    const onward = httpRequest(
      {
        host: '127.0.0.1',
        port: url.port,
        path: url.pathname,
        method: incoming.method,
        headers: incoming.headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    return incoming.pipe(onward);
  });
  proxy.on('connect', (incoming, socket) => {
    asked.push(incoming.url ?? '');
    credentials.push(incoming.headers['proxy-authorization']);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    const [, port] = (incoming.url ?? '').split(':');
    const onward = connect(Number(port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
    return onward;
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked, credentials };
}
