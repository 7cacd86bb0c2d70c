// The health check of the images: exits with 0 if the service in this container is ready, otherwise with 1. The
// distroless image has neither a shell nor curl.

const port = process.env.FLAGHOIST_PORT ?? '8080';

try {
  const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal: AbortSignal.timeout(4_000) });
  process.exit(response.ok ? 0 : 1);
} catch {
  process.exit(1);
}
