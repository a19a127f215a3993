-- The tables of a club. What comes later is a step in storefile.py, never a change here.
--
-- Nothing a player sent and nothing the referee decided is deleted but by the umpire's will: order sets are withdrawn, an
-- adjudicated turn stays as it is, and its correction is a further edition beside it.

CREATE TABLE club (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE games (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  setup TEXT NOT NULL,
  rules INTEGER NOT NULL,
  status TEXT NOT NULL,
  turn INTEGER NOT NULL,
  deadline TEXT,
  rhythm TEXT NOT NULL,
  chain TEXT NOT NULL,
  created TEXT NOT NULL,
  changed TEXT DEFAULT '',
  stopped_at TEXT,
  stopped_due TEXT,
  play INTEGER,
  extended INTEGER NOT NULL DEFAULT 0,
  statements_due TEXT,
  archived_at TEXT,
  anonymous INTEGER NOT NULL DEFAULT 0,
  moved INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX idx_games_deadline ON games (deadline) WHERE status = 'running';
CREATE INDEX idx_games_changed ON games (changed) WHERE status = 'running' AND changed IS NOT NULL;
CREATE INDEX idx_games_created ON games (created, id) WHERE status = 'running';
CREATE INDEX idx_games_statements ON games (statements_due) WHERE statements_due IS NOT NULL;

CREATE TABLE players (
  game TEXT REFERENCES games(id),
  code TEXT,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  colour TEXT NOT NULL,
  company TEXT NOT NULL,
  zone TEXT NOT NULL,
  language TEXT NOT NULL,
  place INTEGER NOT NULL,
  resigned_at TEXT,
  PRIMARY KEY (game, code)
) STRICT;
CREATE INDEX idx_players_address ON players (lower(address));

CREATE TABLE letters (
  id INTEGER PRIMARY KEY,
  hash TEXT NOT NULL,
  source TEXT NOT NULL,
  size INTEGER NOT NULL,
  raw BLOB NOT NULL,
  arrived TEXT NOT NULL,
  stored_at TEXT NOT NULL,
  sender TEXT NOT NULL,
  subject TEXT NOT NULL,
  message_id TEXT NOT NULL,
  status TEXT NOT NULL,
  reason TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  trace TEXT NOT NULL,
  game TEXT REFERENCES games(id),
  player TEXT,
  handled_at TEXT,
  begun INTEGER NOT NULL DEFAULT 0,
  seconds REAL NOT NULL DEFAULT 0,
  sure INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX idx_letters_hash ON letters (hash);
CREATE INDEX idx_letters_status ON letters (status, reason);
CREATE INDEX idx_letters_sender ON letters (lower(sender), stored_at);
CREATE INDEX idx_letters_game_stored_at ON letters (game, stored_at);
CREATE INDEX idx_letters_message_id ON letters (message_id) WHERE message_id <> '';
CREATE INDEX idx_letters_stored ON letters (stored_at, sure, status, seconds, sender);

CREATE TABLE order_sets (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES games(id),
  turn INTEGER NOT NULL,
  player TEXT NOT NULL,
  letter INTEGER REFERENCES letters(id),
  orders TEXT NOT NULL,
  complaints TEXT NOT NULL,
  text TEXT NOT NULL,
  arrived TEXT NOT NULL,
  changed_at TEXT NOT NULL,
  clean INTEGER NOT NULL,
  confirmed INTEGER NOT NULL,
  withdrawn INTEGER NOT NULL,
  doubtful INTEGER NOT NULL
) STRICT;
CREATE INDEX idx_order_sets_game_turn_player ON order_sets (game, turn, player);

CREATE TABLE press (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES games(id),
  turn INTEGER NOT NULL,
  player TEXT NOT NULL,
  letter INTEGER REFERENCES letters(id),
  kind TEXT NOT NULL,
  text TEXT NOT NULL,
  arrived TEXT NOT NULL,
  readers TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX idx_press_game_turn_player ON press (game, turn, player);

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY,
  "key" TEXT NOT NULL,
  game TEXT REFERENCES games(id),
  turn INTEGER,
  player TEXT,
  letter INTEGER REFERENCES letters(id),
  raw BLOB NOT NULL,
  kind TEXT NOT NULL,
  recipient TEXT NOT NULL,
  message_id TEXT NOT NULL,
  state TEXT NOT NULL,
  error TEXT NOT NULL,
  created TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  sent_at TEXT,
  next_try TEXT,
  lease TEXT,
  tried_at TEXT,
  delayed_since TEXT,
  failed_at TEXT,
  enclosed TEXT NOT NULL DEFAULT '',
  size INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX idx_outbox_key ON outbox ("key");
CREATE INDEX idx_outbox_state ON outbox (state);
CREATE INDEX idx_outbox_recipient_created ON outbox (recipient, created);
CREATE INDEX idx_outbox_waiting ON outbox (recipient, id) WHERE state = 'waiting';
CREATE INDEX idx_outbox_tried_at ON outbox (tried_at);
CREATE INDEX idx_outbox_message_id ON outbox (message_id);
CREATE INDEX idx_outbox_answers ON outbox (game, created) WHERE letter IS NOT NULL;
CREATE INDEX idx_outbox_answered ON outbox (lower(recipient), created) WHERE letter IS NOT NULL;
CREATE INDEX idx_outbox_about_held ON outbox (lower(recipient), created) WHERE kind = 'held';
CREATE INDEX idx_outbox_newsletters ON outbox (game, player, turn) WHERE kind = 'newsletter';
CREATE INDEX idx_outbox_enclosed ON outbox (enclosed) WHERE enclosed <> '';

CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  game TEXT REFERENCES games(id),
  turn INTEGER,
  what TEXT NOT NULL,
  text TEXT NOT NULL,
  kept TEXT NOT NULL
) STRICT;

CREATE TABLE turns (
  game TEXT REFERENCES games(id),
  turn INTEGER,
  edition INTEGER,
  rules INTEGER NOT NULL,
  seed TEXT NOT NULL,
  salts TEXT NOT NULL,
  orders TEXT NOT NULL,
  events TEXT NOT NULL,
  state TEXT NOT NULL,
  hash TEXT NOT NULL,
  adjudicated_at TEXT NOT NULL,
  deadline TEXT,
  typed TEXT NOT NULL DEFAULT '',
  acts TEXT NOT NULL DEFAULT '',
  letters TEXT NOT NULL DEFAULT '',
  booked TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (game, turn, edition)
) STRICT;

CREATE TABLE typed_throws (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES games(id),
  turn INTEGER NOT NULL,
  name TEXT NOT NULL,
  number INTEGER,
  typed_at TEXT NOT NULL
) STRICT;
CREATE INDEX idx_typed_throws_game_turn ON typed_throws (game, turn);

CREATE TABLE arrivals (
  "key" TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  error TEXT NOT NULL,
  taken_at TEXT
) STRICT;

CREATE TABLE bounces (
  id INTEGER PRIMARY KEY,
  outbox INTEGER NOT NULL REFERENCES outbox(id),
  letter INTEGER REFERENCES letters(id),
  game TEXT REFERENCES games(id),
  player TEXT,
  address TEXT NOT NULL,
  status TEXT NOT NULL,
  written TEXT NOT NULL,
  at TEXT NOT NULL,
  final INTEGER NOT NULL,
  cleared_at TEXT
) STRICT;
CREATE INDEX idx_bounces_address ON bounces (address);

CREATE TABLE held_letters (
  letter INTEGER PRIMARY KEY REFERENCES letters(id),
  hash TEXT NOT NULL,
  game TEXT NOT NULL REFERENCES games(id),
  player TEXT NOT NULL,
  why TEXT NOT NULL,
  held_at TEXT NOT NULL,
  turn INTEGER NOT NULL,
  released_by INTEGER REFERENCES letters(id),
  released_at TEXT
) STRICT;
CREATE INDEX idx_held_letters_game_player ON held_letters (game, player);

CREATE TABLE token_epochs (
  game TEXT REFERENCES games(id),
  player TEXT,
  epoch INTEGER NOT NULL,
  PRIMARY KEY (game, player)
) STRICT;

CREATE TABLE address_changes (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES games(id),
  player TEXT NOT NULL,
  "before" TEXT NOT NULL,
  "after" TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  letter INTEGER NOT NULL REFERENCES letters(id),
  confirmed_by INTEGER REFERENCES letters(id),
  confirmed_at TEXT,
  void INTEGER NOT NULL,
  agreed_before INTEGER REFERENCES letters (id),
  agreed_after INTEGER REFERENCES letters (id)
) STRICT;
CREATE INDEX idx_address_changes_game_player ON address_changes (game, player);
CREATE INDEX idx_address_changes_before ON address_changes (lower(before), asked_at);

CREATE TABLE observers (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES games(id),
  address TEXT NOT NULL,
  letter INTEGER NOT NULL REFERENCES letters(id),
  since TEXT NOT NULL,
  ended_at TEXT,
  ended_by INTEGER REFERENCES letters(id)
) STRICT;
CREATE INDEX idx_observers_game ON observers (game);
CREATE INDEX idx_observers_address ON observers (address);

CREATE TABLE files (
  hash TEXT PRIMARY KEY,
  size INTEGER NOT NULL,
  packed BLOB NOT NULL
) STRICT;

CREATE TABLE acts (
  game TEXT REFERENCES games(id),
  number INTEGER,
  turn INTEGER NOT NULL,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  parameters TEXT NOT NULL,
  reason TEXT NOT NULL,
  hash TEXT NOT NULL,
  PRIMARY KEY (game, number)
) STRICT;

CREATE TABLE waits (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES games(id),
  turn INTEGER NOT NULL,
  player TEXT NOT NULL,
  letter INTEGER NOT NULL REFERENCES letters(id),
  asked_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;
CREATE INDEX idx_waits_game_turn ON waits (game, turn);

CREATE TABLE absences (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES games(id),
  player TEXT NOT NULL,
  since TEXT NOT NULL,
  "until" TEXT NOT NULL,
  told_at TEXT NOT NULL,
  ended_at TEXT
) STRICT;
CREATE INDEX idx_absences_game_player ON absences (game, player);

CREATE TABLE standbys (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  address TEXT NOT NULL,
  zone TEXT NOT NULL,
  language TEXT NOT NULL,
  since TEXT NOT NULL,
  ended_at TEXT
) STRICT;
CREATE INDEX idx_standbys_address ON standbys (address);

CREATE TABLE later_orders (
  letter INTEGER PRIMARY KEY REFERENCES letters(id),
  game TEXT NOT NULL REFERENCES games(id),
  player TEXT NOT NULL,
  turn INTEGER NOT NULL,
  arrived TEXT NOT NULL,
  filed_at TEXT,
  if_standby INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX idx_later_orders_game_turn ON later_orders (game, turn);

CREATE TABLE news (
  id INTEGER PRIMARY KEY,
  "key" TEXT NOT NULL,
  at TEXT NOT NULL,
  subject TEXT NOT NULL,
  text TEXT NOT NULL,
  told_at TEXT
) STRICT;
CREATE UNIQUE INDEX idx_news_key ON news ("key");
CREATE INDEX idx_news_untold ON news (id) WHERE told_at IS NULL;

CREATE TABLE open_games (
  id TEXT PRIMARY KEY,
  proposal TEXT NOT NULL,
  told TEXT NOT NULL,
  kind TEXT NOT NULL,
  chain TEXT NOT NULL,
  opened_at TEXT NOT NULL,
  seats INTEGER NOT NULL,
  when_full INTEGER NOT NULL,
  started_at TEXT,
  closed_at TEXT
) STRICT;
CREATE INDEX idx_open_games_full ON open_games (when_full, opened_at, id) WHERE started_at IS NULL AND closed_at IS NULL;

CREATE TABLE signups (
  id INTEGER PRIMARY KEY,
  game TEXT NOT NULL REFERENCES open_games(id),
  address TEXT NOT NULL,
  name TEXT NOT NULL,
  zone TEXT NOT NULL,
  language TEXT NOT NULL,
  colours TEXT NOT NULL,
  code TEXT NOT NULL,
  company TEXT NOT NULL,
  asked_at TEXT NOT NULL,
  letter INTEGER REFERENCES letters(id),
  orders INTEGER REFERENCES letters(id),
  invited INTEGER NOT NULL,
  seated_at TEXT,
  ended_at TEXT,
  salt TEXT NOT NULL DEFAULT '',
  waits_since TEXT
) STRICT;
CREATE INDEX idx_signups_game ON signups (game);
CREATE INDEX idx_signups_address ON signups (lower(address));

CREATE TABLE codes (
  token TEXT PRIMARY KEY,
  game TEXT NOT NULL,
  address TEXT NOT NULL,
  command TEXT NOT NULL,
  issued_at TEXT NOT NULL,
  used_by INTEGER REFERENCES letters(id)
) STRICT;

CREATE TRIGGER turns_unchanged BEFORE UPDATE ON turns
BEGIN
  SELECT RAISE(ABORT, 'an adjudicated turn is never changed or deleted');
END;

CREATE TRIGGER turns_undeleted BEFORE DELETE ON turns
BEGIN
  SELECT RAISE(ABORT, 'an adjudicated turn is never changed or deleted');
END;

CREATE TRIGGER turns_unreplaced BEFORE INSERT ON turns
  WHEN EXISTS (SELECT 1 FROM turns WHERE game = NEW.game AND turn = NEW.turn AND edition = NEW.edition)
BEGIN
  SELECT RAISE(ABORT, 'an adjudicated turn is never replaced');
END;

CREATE TRIGGER throws_unchanged BEFORE UPDATE ON typed_throws
BEGIN
  SELECT RAISE(ABORT, 'a typed throw is never changed or deleted');
END;

CREATE TRIGGER throws_undeleted BEFORE DELETE ON typed_throws
BEGIN
  SELECT RAISE(ABORT, 'a typed throw is never changed or deleted');
END;

CREATE TRIGGER throws_unreplaced BEFORE INSERT ON typed_throws
  WHEN EXISTS (SELECT 1 FROM typed_throws WHERE id = NEW.id)
BEGIN
  SELECT RAISE(ABORT, 'a typed throw is never replaced');
END;

CREATE TRIGGER letters_of_ours_undeleted BEFORE DELETE ON outbox
BEGIN
  SELECT RAISE(ABORT, 'a letter of ours is never changed, deleted or replaced');
END;

CREATE TRIGGER letters_of_ours_unreplaced BEFORE INSERT ON outbox
  WHEN EXISTS (SELECT 1 FROM outbox WHERE id = NEW.id OR key = NEW.key)
BEGIN
  SELECT RAISE(ABORT, 'a letter of ours is never changed, deleted or replaced');
END;

CREATE TRIGGER orders_filed AFTER INSERT ON order_sets
BEGIN
  UPDATE games SET changed = NEW.changed_at WHERE id = NEW.game AND turn = NEW.turn;
END;

CREATE TRIGGER orders_refiled AFTER UPDATE ON order_sets
BEGIN
  UPDATE games SET changed = NEW.changed_at WHERE id = NEW.game AND turn = NEW.turn;
END;

CREATE TRIGGER files_unchanged BEFORE UPDATE ON files
BEGIN
  SELECT RAISE(ABORT, 'a file of ours is never changed, deleted or replaced');
END;

CREATE TRIGGER files_unreplaced BEFORE INSERT ON files
  WHEN EXISTS (SELECT 1 FROM files WHERE hash = NEW.hash)
BEGIN
  SELECT RAISE(ABORT, 'a file of ours is never changed, deleted or replaced');
END;

CREATE TRIGGER acts_unchanged BEFORE UPDATE ON acts
BEGIN
  SELECT RAISE(ABORT, 'an act of the umpire is never changed or deleted');
END;

CREATE TRIGGER acts_undeleted BEFORE DELETE ON acts
BEGIN
  SELECT RAISE(ABORT, 'an act of the umpire is never changed or deleted');
END;

CREATE TRIGGER acts_unreplaced BEFORE INSERT ON acts
  WHEN EXISTS (SELECT 1 FROM acts WHERE game = NEW.game AND number = NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'an act of the umpire is never replaced');
END;

CREATE TRIGGER games_moved AFTER UPDATE OF turn, deadline, status, rhythm, stopped_at, play ON games
BEGIN
  UPDATE games SET changed = '' WHERE id = NEW.id;
END;

CREATE TRIGGER games_awaiting AFTER UPDATE OF turn ON games
  WHEN NEW.turn <> OLD.turn
BEGIN
  UPDATE games SET play = NULL, extended = 0 WHERE id = NEW.id;
END;

CREATE TRIGGER letters_of_ours_unchanged BEFORE UPDATE OF id, key, recipient, message_id, raw, enclosed, size ON outbox
  WHEN OLD.state = 'waiting' OR NEW.id <> OLD.id OR NEW.raw <> x'' OR NEW.enclosed <> ''
BEGIN
  SELECT RAISE(ABORT, 'a letter of ours is never changed, deleted or replaced');
END;

CREATE TRIGGER files_undeleted BEFORE DELETE ON files
  WHEN EXISTS (SELECT 1 FROM outbox WHERE enclosed <> '' AND instr(enclosed, OLD.hash))
BEGIN
  SELECT RAISE(ABORT, 'a file of ours is never changed, deleted or replaced');
END;

CREATE TRIGGER games_deadline_moved AFTER UPDATE OF deadline ON games
  WHEN NEW.deadline IS NOT OLD.deadline
BEGIN
  UPDATE games SET moved = moved + 1 WHERE id = NEW.id;
END;
