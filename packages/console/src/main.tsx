// The entry: starts the session and shows the sign-in or the frame.

import { render } from 'preact';
import { Frame } from './frame/frame.tsx';
import { listenForKeys } from './keys/shortcuts.ts';
import './looks/theme.ts';
import { startLiveFeed } from './service/live-feed.ts';
import { sessionState, startSession } from './session/session.ts';
import { SignInPage } from './sign-in/sign-in-page.tsx';
import './style/base.css';
import './style/frame.css';
import './style/elements.css';
import './style/table.css';

function App() {
  const state = sessionState.value;
  if (state.kind === 'starting') return null;
  if (state.kind === 'signedOut') return <SignInPage methods={state.methods} message={state.message} />;
  return <Frame />;
}

render(<App />, document.getElementById('app')!);
listenForKeys();
startLiveFeed();
startSession();
