// The page before anybody is signed in.

import { useState } from 'preact/hooks';
import { Button } from '../elements/button.tsx';
import { TextField } from '../elements/field.tsx';
import { messageOf } from '../service/service-error.ts';
import { authorizationUrl, type SignInMethods, signIn, startSession } from '../session/session.ts';
import { SignalFlags } from './signal-flags.tsx';

interface SignInPageProps {
  methods: SignInMethods | undefined;
  message: string | undefined;
}

export function SignInPage({ methods, message }: SignInPageProps) {
  return (
    <main class="sign-in">
      <h1>
        <SignalFlags />
      </h1>
      {message && (
        <p class="sign-in-message" role="status">
          {message}
        </p>
      )}
      {methods ? <Methods of={methods} /> : <Unreachable />}
      {methods && (
        <p class="faint">
          Environment: {methods.environment.toLowerCase()}. Flaghoist {methods.version}.
        </p>
      )}
    </main>
  );
}

function Methods({ of: { methods } }: { of: SignInMethods }) {
  if (methods.includes('ISSUER')) return <IssuerSignIn />;
  return <ClientSignIn />;
}

function ClientSignIn() {
  const [clientId, setClientId] = useState('');
  const [clientSecret, setClientSecret] = useState('');
  const [error, setError] = useState<string | undefined>(undefined);
  const submit = async () => {
    setError(undefined);
    await signIn({ clientId, clientSecret }).catch((reason) => setError(messageOf(reason)));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <TextField label="Client id" value={clientId} onInput={setClientId} isRequired autoComplete="username" />
      <TextField
        label="Secret"
        type="password"
        value={clientSecret}
        onInput={setClientSecret}
        isRequired
        autoComplete="current-password"
        error={error}
      />
      <button type="submit" class="button primary">
        Sign in
      </button>
      <p class="faint">
        Or run <code>npx flaghoist console-link</code> where the service runs, and open the link that it prints.
      </p>
    </form>
  );
}

function IssuerSignIn() {
  const [error, setError] = useState<string | undefined>(undefined);
  const start = async () => {
    setError(undefined);
    await authorizationUrl().then(
      (url) => window.location.assign(url),
      (reason) => setError(messageOf(reason)),
    );
  };
  return (
    <>
      <Button kind="primary" onClick={start}>
        Sign in
      </Button>
      {error && (
        <p class="field-error" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

function Unreachable() {
  return (
    <div role="alert">
      <p>The service does not respond. Check your network, and try again.</p>
      <Button onClick={startSession}>Try again</Button>
    </div>
  );
}
