-- Roles and test mode of users.
ALTER TABLE user ADD COLUMN role TEXT NOT NULL DEFAULT 'clerk';
ALTER TABLE user ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0;
UPDATE user SET role = 'viewer' WHERE may_create = 0;
ALTER TABLE user DROP COLUMN may_create;
INSERT INTO user (id, name, company_id, token, role, is_test) VALUES
    (3, 'Practice supervisor', 1, lower(hex(randomblob(24))), 'supervisor', 0),
    (4, 'Practice tester', 1, lower(hex(randomblob(24))), 'clerk', 1);
